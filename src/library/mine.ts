// `mine` for programs: the stages of `dustbuster mine`, without its messages on standard error, exit codes and signal
// handlers.
import { parseSize } from '../base/amounts.js';
import { decodeText } from '../base/bytes.js';
import { type Effects, realEffects } from '../base/effects.js';
import { filterOptions } from '../cli/run/input/filters.js';
import { refuseNothing } from '../cli/run/input/reading.js';
import { warningsOf } from '../cli/run/input/warnings.js';
import { mineOptions, readOptions } from '../cli/run/mine/read.js';
import { fileOf, rankedRules } from '../cli/run/mine/rules.js';
import type { Input } from '../log/bytes.js';
import type { FormatOptions } from '../log/format/choose.js';
import { findInputs } from '../log/inputs.js';
import { readRecordsParallel } from '../log/parallel.js';
import { createReadReport, type ReadOptions, type ReadReport } from '../log/read.js';
import type { InputSummary } from '../log/record.js';
import { createMineCrew } from '../mine/crew.js';
import { Miner } from '../mine/mine.js';
import { suffixesOf } from '../rule/file.js';
import type { RulesFile } from '../rule/rule.js';
import { createSiteOf } from '../url/public-suffix.js';
import { flagsOf, givenInput, type MineInput, type MineSettings } from './settings.js';

/** What was mined. */
export interface Mined {
  /** The rules as `dustbuster mine` writes them: `writeRules(file)` has the same bytes. All of them are `likely`. */
  readonly file: RulesFile;
  readonly summary: MinedSummary;
  /**
   * Messages about inputs that broke off, or whose lines were mostly not a log. The command writes them to standard
   * error and exits with 3.
   */
  readonly warnings: readonly string[];
}

/** The counts that the command prints. */
export interface MinedSummary {
  /** For each input, lines = records + the sum of `dropped` + the sum of `rejected`. */
  readonly inputs: readonly InputSummary[];
  /** Distinct URLs. */
  readonly urls: number;
  /** `skipped` sites have fewer URLs than `minSiteUrls`. */
  readonly sites: { readonly mined: number; readonly skipped: number };
  /** Up to a thousand of the mined sites, largest first. */
  readonly largestSites: readonly { readonly site: string; readonly urls: number }[];
  /** Sites with more URLs than `memoryBytes` takes, and how many of these were mined. */
  readonly sampled: readonly { readonly site: string; readonly urls: number; readonly sampled: number }[];
  /** Pairs of substrings with enough support, before elimination. */
  readonly pairs: number;
  /** The number of rules, and how many of them are about parameters. */
  readonly likely: number;
  /** Likely rules with a confidence below .5, which are more probably wrong than right. */
  readonly candidates: number;
  readonly parameters: number;
  /** How many likely rules of the lowest ranks are not in the file, which has 250,000 at most. */
  readonly unlisted: number;
  /** Substring rules that say the same as a parameter rule, and so are left out. */
  readonly subsumed: number;
  /** Rules that name one visitor, and so are left out. */
  readonly visitors: number;
  /**
   * URLs that repeat a part of themselves over and over, as in a crawler trap. They are not compared with each other.
   */
  readonly trapUrls: number;
  /** Sorted runs that were spilled to disk. */
  readonly spilled: { readonly runs: number; readonly bytes: number };
}

/** The implementation of the package's `mine`, which index.ts documents. */
export async function mine(inputs: MineInput | readonly MineInput[], settings: MineSettings = {}): Promise<Mined> {
  const effects = realEffects();
  const flags = flagsOf(settings, effects);
  const { filters } = filterOptions(flags, effects);
  const options = mineOptions(flags, filters);
  const reading = { ...readOptions(flags, options), ...(filters && { filters }), ...ownOptions(settings) };
  const crew = createMineCrew(flags.threads);
  const limits = { memoryBytes: parseSize(flags.memory, 'memory'), tmpdir: flags.tmpdir, crew };
  const miner = new Miner({ ...options, untested: false }, createSiteOf(options.site), limits);
  const report = createReadReport();
  try {
    const all = Array.isArray(inputs) ? (inputs as readonly MineInput[]) : [inputs as MineInput];
    for (const part of await partsOf(all, effects)) {
      const how = part.format === undefined ? reading : { ...withoutFormat(reading), ...part.format };
      for await (const batch of readRecordsParallel(part.inputs, how, report, flags.threads)) {
        settings.signal?.throwIfAborted();
        miner.add(batch);
      }
    }
    settings.signal?.throwIfAborted();
    refuseNothing(report);
    return result(fileOf(rankedRules(miner), { miner, options, report, flags, effects }), miner, report);
  } finally {
    crew?.stop();
  }
}

function ownOptions({ columns, onReject, signal }: MineSettings): Partial<ReadOptions> {
  const listener = onReject && {
    onReject: (input: string, number: number, cause: string, line: Uint8Array) =>
      onReject({ input, number, cause, line: decodeText(line) }),
  };
  return { ...(columns && { columns }), ...(signal && { signal }), ...listener };
}

interface Part {
  readonly inputs: readonly Input[];
  readonly format: FormatOptions | undefined;
}

async function partsOf(inputs: readonly MineInput[], effects: Effects): Promise<Part[]> {
  const names = inputs.filter((input) => typeof input === 'string');
  const place = {
    cwd: effects.cwd,
    get stdin() {
      return effects.stdin;
    },
  };
  const named = names.length === 0 ? [] : [{ inputs: await findInputs(names, place), format: undefined }];
  const given = inputs.filter((input) => typeof input !== 'string').map(givenInput);
  return [...named, ...given.map(({ input, format }) => ({ inputs: [input], format }))];
}

function withoutFormat({
  format: _format,
  logFormat: _logFormat,
  columns: _columns,
  ...others
}: ReadOptions): ReadOptions {
  return others;
}

function result(file: RulesFile, { summary }: Miner, { inputs }: ReadReport): Mined {
  const {
    urls,
    sites,
    sampled,
    pairs,
    likely,
    candidates,
    unlisted,
    parameters,
    subsumed,
    visitors,
    trapUrls,
    spilled,
    largestSites,
  } = summary;
  const suffixes = suffixesOf(file);
  return {
    file: {
      ...file,
      inputs: inputs.map(({ reason: _reason, ...input }) => input),
      ...(suffixes.length > 0 && { publicSuffixes: suffixes }),
    },
    summary: {
      inputs,
      urls,
      sites,
      sampled,
      largestSites: largestSites.list(),
      pairs,
      likely,
      candidates,
      unlisted,
      parameters,
      subsumed,
      visitors,
      trapUrls,
      spilled,
    },
    warnings: warningsOf({ inputs }),
  };
}
