// Does a command run here, or on a cluster with Apache Spark? For the commands that can do both.
import type { Command } from 'commander';
import { UserError } from '../../base/error.js';
import { group, type FlagsOf } from './option.js';

const CLUSTER = {
  sparkMaster: {
    kind: 'text',
    flags: '--spark-master <url>',
    text: 'spark://host:7077, yarn, k8s://…, local[4] (default: what Spark is configured for)',
  },
  sparkConf: { kind: 'repeated', flags: '--spark-conf <key=value>', text: 'a setting of Spark' },
  sparkHome: {
    kind: 'text',
    flags: '--spark-home <folder>',
    text: 'where Spark is installed (default: $SPARK_HOME, or spark-submit of the path)',
  },
  sparkNode: {
    kind: 'text',
    flags: '--spark-node <file>',
    text: 'path of Node on the executors (default: its path here)',
  },
} as const;

const HEADING = 'Apache Spark:';

/** `does` says what the command does. */
export function sparkOptions(does: string) {
  return group(HEADING, {
    engine: {
      kind: 'word',
      flags: '--engine <where>',
      text: `${does} here, or on the cluster of --spark-master: see dustbuster help spark`,
      words: ['local', 'spark'],
      standard: 'local',
    },
    ...CLUSTER,
  });
}

/** For commands that map lists of URLs. */
export const SPARK_READ_OPTION = group(HEADING, {
  sparkRead: {
    kind: 'word',
    flags: '--spark-read <format>',
    text: 'let Spark read the inputs, wherever it can: lines of text, or the column url',
    words: ['text', 'csv', 'json', 'parquet', 'orc'],
  },
});

export type SparkFlags = FlagsOf<ReturnType<typeof sparkOptions>>;

/** Throws a UserError for cluster options on the command line of a local run. */
export function refuseIdleSpark(command: Command): void {
  if (command.getOptionValue('engine') === 'spark') return;
  for (const option of command.options) {
    const name = option.attributeName();
    if (!name.startsWith('spark') || command.getOptionValueSource(name) !== 'cli') continue;
    throw new UserError(
      `${option.long}: got it for a run on this machine; expected --engine spark with it, or the run without it`,
    );
  }
}
