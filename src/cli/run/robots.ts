// `dustbuster robots`: tries a robots.txt on the requests of a log, in one pass.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseMemory } from '../../base/amounts.js';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { createSink } from '../../base/output.js';
import { createCanonizer } from '../../canonize/canonizer.js';
import { findInputs } from '../../log/inputs.js';
import { createReadReport, readRecords } from '../../log/read.js';
import { choosesOrActs } from '../../report/page/measure/crawl-space.js';
import { checkText, findingsOf, type Rehearsed, robotsJson, robotsText } from '../../report/robots.js';
import { countsReport } from '../../report/render.js';
import { candidatesOf, foundIn } from '../../report/robots-proposal.js';
import { faultsOf, isHtml } from '../../robots/faults.js';
import { RobotsRehearsal } from '../../robots/rehearsal.js';
import type { FormOf } from '../../robots/line-meter.js';
import type { Rule } from '../../rule/rule.js';
import { accepts } from '../../rule/standing.js';
import { MAX_URL_BYTES } from '../../url/token.js';
import { refuseTwice, unreadable } from '../files.js';
import type { RobotsFlags } from '../flags/robots.js';
import { paintOf, widthFor } from '../terminal/stream.js';
import { filterOptions, parseWhen } from './input/filters.js';
import { type Composing, formatOptions, progressOf, refuseNothing } from './input/reading.js';
import { judgeReading } from './input/warnings.js';
import { loadRulesInUse } from './rules/in-use.js';
import { writeSummary } from './summary.js';

/** Returns the exit code: 1 for findings with --check. */
export async function rehearseRobots(name: string, flags: RobotsFlags, effects: Effects): Promise<number> {
  if (flags.check === true && flags.json === true) throw new UserError('robots: got --check and --json; expected one');
  refuseTwice(['ROBOTS', [name]], ['--log', flags.log]);
  const body = await readText(name, effects);
  if (isHtml(body)) throw new UserError(`${printable(name)} is a page in HTML, expected a robots.txt`);
  const found = flags.propose === undefined ? undefined : foundIn(await reportIn(flags.propose, effects));
  const { composing, guesses, ...forms } = await rulesOf(flags, effects);
  const liveSince =
    flags.liveSince === undefined ? undefined : parseWhen('--live-since', flags.liveSince, effects.now());
  const memoryBytes = parseMemory(flags.memory, '--memory');
  const rehearsal = new RobotsRehearsal(body, { memoryBytes, liveSince });
  const report = await readLog(rehearsal, composing, flags, effects);
  const isChoice = (target: string) => choosesOrActs(target.split('?', 2)[1] ?? '');
  const rehearsed: Rehearsed = {
    name,
    faults: faultsOf(body),
    result: rehearsal.finish({ ...forms, isChoice }),
    guesses,
    ...(found !== undefined && { proposal: rehearsal.propose(Array.from(candidatesOf(found).values()).flat(), forms) }),
  };
  const findings = findingsOf(rehearsed);
  const { log } = rehearsal;
  if (flags.json === true) await writeSummary(robotsJson(rehearsed, log), effects);
  else if (flags.check === true) await print(checkText(name, findings), effects);
  else
    await print(robotsText(rehearsed, log, { width: widthFor('-', effects), paint: paintOf('-', effects) }), effects);
  if (flags.quiet !== true && flags.json !== true) effects.stderr.write(countsReport(report.inputs));
  return judgeReading(report, effects, flags) || (flags.check === true && findings.length > 0 ? 1 : 0);
}

async function readText(name: string, { cwd }: Effects): Promise<Uint8Array> {
  if (/^https?:\/\//i.test(name))
    throw new UserError(
      `got ${printable(name)}, expected a file: save it first, as in curl -o robots.txt ${printable(name)}`,
    );
  try {
    return await readFile(systemName(resolve(cwd, name)));
  } catch (error) {
    throw unreadable(error, name, 'Expected a robots.txt');
  }
}

async function reportIn(name: string, effects: Effects): Promise<unknown> {
  try {
    return JSON.parse(Buffer.from(await readText(name, effects)).toString('utf8'));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`--propose: ${printable(name)} is no JSON; expected a report by dustbuster report --json`);
  }
}

const NO_RULES: Composing = { base: null, scheme: 'http', normalize: 'none', maxUrlLength: MAX_URL_BYTES };

interface Forms {
  readonly composing: Composing;
  readonly formOf?: FormOf;
  readonly guessOf?: FormOf;
  /** Rules in use that nothing proves. */
  readonly guesses: number;
}

/** A rule that nothing proves is no redirect, unless the log shows that the server makes one. */
async function rulesOf(flags: RobotsFlags, effects: Effects): Promise<Forms> {
  const base = flags.base === undefined ? {} : { base: flags.base };
  if (flags.rules === undefined) return { composing: { ...NO_RULES, ...base }, guesses: 0 };
  const { rules, options, composing } = await loadRulesInUse({ ...flags, rules: flags.rules }, effects);
  const proven = rules.filter((rule) => accepts(rule, 'valid'));
  const formsBy = (some: readonly Rule[]): FormOf => {
    const canonizer = createCanonizer(some, options);
    return (url) => canonizer.canonize(url);
  };
  const guesses = rules.length - proven.length;
  return {
    composing: { ...composing, ...base },
    guesses,
    formOf: formsBy(proven),
    ...(guesses > 0 && { guessOf: formsBy(rules) }),
  };
}

async function readLog(rehearsal: RobotsRehearsal, composing: Composing, flags: RobotsFlags, effects: Effects) {
  const inputs = await findInputs(flags.log, effects);
  const { since, until, host } = flags;
  const filters = filterOptions({ since, until, host } as Parameters<typeof filterOptions>[0], effects);
  const reading = {
    ...composing,
    ...formatOptions(flags),
    ...filters,
    ...progressOf(inputs, effects),
    requests: true,
    onRequest: rehearsal.add,
  };
  const report = createReadReport();
  for await (const _ of readRecords(inputs, reading, report));
  refuseNothing(report);
  if (rehearsal.log.requests > 0) return report;
  effects.stderr.write(countsReport(report.inputs));
  throw new UserError('found no request in the log; expected at least one. Name its format with --format');
}

async function print(text: string, effects: Effects): Promise<void> {
  const sink = createSink(effects.stdout);
  await sink.write(text);
  await sink.end();
}
