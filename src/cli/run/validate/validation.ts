// Runs planned validations, and keeps the rules file complete all the time. For `validate` and `mine --fetch`.
//
// Sites are validated concurrently, the rules of a site one after another. The file is written at checkpoints, at the
// end, and when a signal ends the run, always with everything that was settled by then.
import { many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createSink } from '../../../base/output.js';
import { leftOutLines, refusedLines } from '../../../report/outcome-words.js';
import { visitorsLine } from '../../../report/render.js';
import { heldLine } from '../../../report/rule-words.js';
import { planSummary } from '../../../report/summary.js';
import {
  auditReport,
  questionLine,
  validationCounts,
  type ValidationCounts,
  validationReport,
} from '../../../report/validation.js';
import { writeRules } from '../../../rule/file.js';
import { isPassedOn } from '../../../rule/passed-on.js';
import type { Rule, RulesFile, Validation } from '../../../rule/rule.js';
import { accepts, isOpen } from '../../../rule/standing.js';
import { settleRule } from '../../../rule/visit.js';
import type { Question } from '../../../validate/ask/ask.js';
import { settlementsOf } from '../../../validate/ask/settlements.js';
import { createDryRun, createPretended, type DryRun } from '../../../validate/dry-run.js';
import { validateRules } from '../../../validate/paper/figure-4.js';
import { leftOutOf } from '../../../validate/permission/left-out.js';
import { MAX_URLS_OF_ALL, type PlanOptions, type SitePlan } from '../../../validate/plan.js';
import type { Settlement } from '../../../validate/settlement.js';
import type { PageSource } from '../../../validate/source.js';
import type { ValidationFlags } from '../../flags/validation.js';
import { endedBySignal } from '../../terminal/signals.js';
import type { Readership } from '../input/readership.js';
import { RulesOutput, stampOf } from '../rules/kept-back.js';
import { writeSummary } from '../summary.js';
import { askAll, assembleAnswers, type SiteAnswers } from './asking.js';
import { classesOf, hostsLine, plansOfSites, settleClasses } from './hosts.js';
import { nothingAnswered, nothingToAsk } from './nothing.js';
import { openSource, siteOfPages, sourceName } from './page-source.js';
import { isAsking, readTrackers, type Run, siteAsked } from './run.js';
import { createPace, type Requests, requestsFor, timeWords } from './time.js';

/** How many sites are validated concurrently. */
const SITES_AT_ONCE = 8;
/** Milliseconds between two checkpoints. */
const CHECKPOINT_MS = 10_000;

export function planOptions(
  file: Pick<RulesFile, 'urlForm'>,
  flags: ValidationFlags,
  readership: Readership | undefined,
): PlanOptions {
  return {
    ...(readership !== undefined && { asStranger: (url: string) => readership.stranger.url(url) }),
    seed: flags.seed,
    tries: 3 * flags.N,
    pathOnly: file.urlForm === 'path',
    withSketches: flags.bySketch === true,
    forAsking: isAsking(flags),
    room: { urls: MAX_URLS_OF_ALL },
  };
}

interface Validated {
  /** The file as written; undefined after a dry run. */
  readonly file: RulesFile | undefined;
  /** 3 if an archive could not be read to its end, or if no page of the site could be fetched (SPEC 13). */
  readonly exitCode: number;
  /** Undefined after a dry run. */
  readonly counts: ValidationCounts | undefined;
}

/** Runs the validation. A signal ends the process once the file is complete. */
export async function runPlans(given: Run, effects: Effects): Promise<Validated> {
  const { flags, file } = given;
  const plans = plansOfSites(given.plans, given);
  let run: Run = { ...given, plans, trackers: await readTrackers(flags.trackers, effects) };
  if (file.urlForm === 'path' && run.base === null && flags.bySketch !== true) {
    throw new UserError(
      'the rules were mined from a log without hosts, so the address of its pages is not known; name it with --base, as in --base https://www.example.com',
    );
  }
  const asked = plansOfBase(run);
  const nothing = classesOf(run).length > 0 ? undefined : nothingToAsk(run, asked);
  if (nothing !== undefined && run.command === 'validate') throw new UserError(nothing);
  if (nothing !== undefined) effects.stderr.write(`dustbuster: ${nothing}\n`);
  if (flags.dryRun === true) return dryRun(run, asked, effects);
  return endedBySignal(async (signal) => {
    const { source, isDamaged } = await openSource(run, signal, effects);
    const output = new RulesOutput(run.output, run.stamp ?? (await stampOf(run.output, effects)), effects);
    const settled = new Map<Rule, Settlement>();
    const answers: SiteAnswers = new Map();
    let ofClasses: readonly Settlement[] = [];
    let ofVisitors = 0;
    const write = async () => {
      const all = isAsking(flags) ? assembleAnswers(run, answers) : assemble(run, settled);
      const next = { ...all, rules: all.rules.filter(isPassedOn) };
      ofVisitors = all.rules.length - next.rules.length;
      await output.write(writeRules(next));
      return next;
    };
    const expected = expectedOf(asked, flags);
    // The time is estimated only for questions to a live site: rule by rule, the number of pages is unknown, and pages
    // of an archive take no time.
    const isPaced = source.name === 'live' && isAsking(flags);
    const isSaid = isPaced && flags.quiet !== true;
    const say = (line: string) => isSaid && effects.stderr.write(line);
    const pace = createPace(expected, flags.rate, { now: () => effects.now(), say });
    const onPages = (pages: number) => {
      pace.note(pages);
      if (isPaced) effects.progress?.add(pages);
    };
    try {
      if (flags.quiet !== true)
        effects.stderr.write(
          leftOutReport(run, asked, source) + hostsLine(run) + announcement(run, asked, source, expected),
        );
      effects.progress?.begin({
        name: 'validating',
        ...(isPaced ? { unit: 'pages', total: expected.expected } : { unit: 'rules', total: pendingCount(asked) }),
      });
      const checkpoint = checkpoints(run, write, effects);
      const onSettled = () => {
        if (!isPaced) effects.progress?.add(1);
        return checkpoint();
      };
      const settle = (some: readonly SitePlan[]) => settleAll(some, run, { source, signal, settled, onSettled });
      if (isAsking(flags)) {
        const onQuestion =
          flags.trace === true ? (one: Question) => effects.stderr.write(questionLine(one)) : undefined;
        const now = effects.now().getTime();
        ({ run, settlements: ofClasses } = await settleClasses(run, source, signal));
        await askAll(asked, run, { source, signal, now, answers, onAnswer: onSettled, onPages, onQuestion });
      } else await settle(asked);
    } finally {
      await source.close();
    }
    const written = await write();
    await run.asked?.keep();
    const ofFile = isAsking(flags)
      ? [...ofClasses, ...[...answers.values()].flatMap(({ plan, answer }) => settlementsOf(plan.rules, answer))]
      : file.rules.flatMap((rule) => settled.get(rule) ?? []);
    const { reported, idle } = visitsOf(ofFile, run.visited);
    const audit = written.validation?.audit;
    if (flags.quiet !== true && flags.json !== true) {
      const inUse = written.rules.filter((rule) => accepts(rule, 'valid', 'key'));
      const isVacuous = !written.rules.some((rule) => accepts(rule, 'valid'));
      const audited = audit === undefined ? '' : isVacuous ? NO_AUDIT : auditReport(audit);
      const telling = {
        now: effects.now(),
        isVerbose: flags.verbose === true,
        isAuditAlone: flags.auditAlone === true,
      };
      const told = validationReport(reported, source, isVacuous ? undefined : audit, telling);
      const lines = `${told}${visitorsLine(ofVisitors)}${idleLine(idle)}`;
      effects.stderr.write(`${lines}${audited}${heldLine(inUse)}`);
    }
    const lost = signal.aborted ? undefined : nothingAnswered(ofFile, source);
    if (lost !== undefined) effects.stderr.write(`dustbuster: ${lost}\n`);
    output.refuseBeside();
    return {
      file: written,
      exitCode: isDamaged || lost !== undefined ? 3 : 0,
      counts: validationCounts(reported, source, audit),
    };
  });
}

/** Printed without an audit: each URL is then its own form, which needs no request to be right. */
const NO_AUDIT = 'audit: no rule is valid or pinned, so no canonical form was asked for\n';

/** The settlements with a result. A visit without one leaves the verdict as it was. */
function visitsOf(settlements: readonly Settlement[], visited: Run['visited']) {
  const hadVerdict = (rule: Rule) => visited.has(rule) || rule.status !== 'likely';
  const isIdle = ({ before, outcome }: Settlement) => outcome === 'likely' && hadVerdict(before);
  const idle = settlements.filter(isIdle).length;
  const reported = settlements.map((one): Settlement => (isIdle(one) ? { ...one, outcome: 'kept' } : one));
  return { reported, idle };
}

function idleLine(idle: number): string {
  return idle === 0 ? '' : `visits without a result, so that verdicts stand as they were: ${idle}\n`;
}

/**
 * The plans of the sites that may be requested: with --base, only its site. Strangers can write other hosts into a log.
 */
function plansOfBase({ plans, base, file, flags }: Run): readonly SitePlan[] {
  if (base === null || sourceName(flags) !== 'live') return plans;
  const siteOfBase = siteOfPages(file)(`${base}/`);
  return plans.filter(({ site }) => site === '' || site === '*' || site === siteOfBase);
}

function pendingCount(plans: readonly SitePlan[]): number {
  return plans.flatMap((plan) => plan.rules).filter(({ rule }) => isOpen(rule)).length;
}

/** Writes the file every few seconds at most. Standard output can take only one file, so there it writes nothing. */
function checkpoints({ output }: Run, write: () => Promise<unknown>, effects: Effects): () => Promise<void> {
  let last = effects.now().getTime();
  return async () => {
    const now = effects.now().getTime();
    if (output === '-' || now - last < CHECKPOINT_MS) return;
    last = now;
    await write();
  };
}

interface Settling {
  readonly source: PageSource;
  readonly signal: AbortSignal;
  /** Filled while rules are settled. */
  readonly settled: Map<Rule, Settlement>;
  readonly onSettled: () => Promise<void>;
}

async function settleAll(
  plans: readonly SitePlan[],
  run: Run,
  { source, signal, settled, onSettled }: Settling,
): Promise<void> {
  const options = paperOptions(run);
  const waiting = plans.values();
  const work = async () => {
    for (const plan of waiting) {
      if (signal.aborted) return;
      const siteOf = siteAsked(plan.site, run);
      for await (const settlement of validateRules(plan.rules, { ...options, source, siteOf, signal })) {
        settled.set(settlement.before, settlement);
        await onSettled();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(SITES_AT_ONCE, plans.length) }, work));
}

function paperOptions({ flags: { N, epsilon, minSamples }, file, base }: Run) {
  return { N, epsilon, minSamples, pathOnly: file.urlForm === 'path', base: base ?? '' };
}

/** The file with everything that is settled so far. Ranks are renumbered, as rules come and go. */
function assemble({ file, flags, visited, night, remark }: Run, settled: ReadonlyMap<Rule, Settlement>): RulesFile {
  const { stop, N, epsilon, minSamples, seed } = flags;
  const validation: Validation = { source: sourceName(flags), stop, N, epsilon, minSamples, seed };
  const rules = file.rules.flatMap((rule) => {
    const settlement = settled.get(rule);
    const before = visited.get(rule) ?? rule;
    if (settlement === undefined || settlement.outcome === 'kept') return [before];
    return settleRule(before, settlement.after, night);
  });
  return remark({ ...file, validation, rules: rules.map((rule, at) => ({ ...rule, rank: at + 1 })) });
}

/** Requests for all sites, as if one host had them all. */
function requestsOf(asked: readonly SitePlan[], flags: ValidationFlags): Requests {
  const each = asked.map(({ list }) => requestsFor(list?.urls.length ?? 0, flags));
  const atMost = (count: (one: Requests) => number) =>
    Math.min(
      flags.maxFetches,
      each.reduce((sum, one) => sum + count(one), 0),
    );
  return { expected: atMost(({ expected }) => expected), most: atMost(({ most }) => most) };
}

/** The expected requests: all of a budget; unknown if validation goes rule by rule. */
function expectedOf(asked: readonly SitePlan[], flags: ValidationFlags): Requests {
  const isAll = flags.budget !== undefined || !isAsking(flags);
  return isAll ? { expected: flags.maxFetches, most: flags.maxFetches } : requestsOf(asked, flags);
}

function leftOutReport(run: Run, asked: readonly SitePlan[], source: PageSource): string {
  if (source.name !== 'live') return '';
  const lines = leftOutLines(leftOutOf(asked, source, { ...run, siteAsked: (site) => siteAsked(site, run) }));
  const isBlind = run.readership?.evidence.hasReaders !== true;
  return [...lines, ...(isBlind ? [BLIND] : [])].map((line) => `${line}\n`).join('');
}

const BLIND =
  'The list shows no crawler and fewer than three clients, so nobody knows which URLs are read commonly: they are judged ' +
  'by their words alone. Look at --dry-run first';

function announcement(
  { plans, base, flags }: Run,
  asked: readonly SitePlan[],
  source: PageSource,
  requests: Requests,
): string {
  const pending = pendingCount(asked);
  const rules = many(pending, 'rule');
  if (source.name !== 'live') return `Validating ${rules} by ${source.name}, without any fetch\n`;
  const others = plans.length - asked.length;
  const left = others === 0 ? '' : `Sites skipped, as --base is ${base === null ? '' : printable(base)}: ${others}\n`;
  return (
    `${left}Validating ${rules} by fetching: ${timeWords(requests, flags.rate)} (${requests.most} requests); ` +
    'Ctrl-C keeps what is settled\n'
  );
}

/** Prints what would be requested if every rule were true, by kind of URL and by host. */
async function dryRun(run: Run, asked: readonly SitePlan[], effects: Effects): Promise<Validated> {
  const { signal } = new AbortController();
  const { source, isDamaged } = await openSource(run, signal, effects);
  const now = effects.now().getTime();
  const plan = isAsking(run.flags) ? await dryAsking(asked, run, { source, now }) : dryRules(asked, run, source);
  await source.close();
  const done = { file: undefined, exitCode: isDamaged ? 3 : 0, counts: undefined };
  if (run.flags.json === true) {
    await writeSummary(planSummary(run.command, plan), effects);
    return done;
  }
  const sink = createSink(effects.stdout);
  for (const line of kindLines(plan.perKind)) await sink.write(`${line}\n`);
  await sink.end();
  for (const [host, count] of plan.perHost) {
    const time = timeWords({ expected: count, most: count }, run.flags.rate);
    effects.stderr.write(`${printable(host)}: at most ${many(count, 'page')}, ${time}\n`);
  }
  for (const line of refusedLines(plan.refused)) effects.stderr.write(`${line}\n`);
  return done;
}

/** Further kinds are counted together, so that the page can be read in a minute. */
const MOST_KINDS = 60;

function kindLines(kinds: DryRun['perKind']): string[] {
  const width = String(kinds[0]?.[1] ?? 0).length;
  const lines = kinds
    .slice(0, MOST_KINDS)
    .map(([kind, count]) => `${String(count).padStart(width)}  ${printable(kind)}`);
  const rest = kinds.slice(MOST_KINDS);
  const pages = rest.reduce((sum, [, count]) => sum + count, 0);
  return rest.length === 0
    ? lines
    : [...lines, `${many(pages, 'page')} of ${rest.length} more kinds (--json lists all)`];
}

function kindsOf({ readership }: Run): (url: string) => string {
  return (url) => readership?.evidence.kindOf(url) ?? url;
}

/** Rule by rule: requests for the samples that settle each rule. */
function dryRules(asked: readonly SitePlan[], run: Run, source: PageSource): DryRun {
  return createDryRun(asked, source, {
    ...paperOptions(run),
    siteAsked: (site) => siteAsked(site, run),
    maxFetches: run.flags.maxFetches,
    kindOf: kindsOf(run),
  });
}

/** Counts the requests that each site would get if the answer to every question were yes. */
async function dryAsking(
  asked: readonly SitePlan[],
  run: Run,
  { source, now }: { readonly source: PageSource; readonly now: number },
): Promise<DryRun> {
  const pretended = createPretended(source, { maxFetches: run.flags.maxFetches, kindOf: kindsOf(run) });
  const { signal } = new AbortController();
  await settleClasses(run, pretended, signal);
  await askAll(asked, run, { source: pretended, signal, now, answers: new Map(), onAnswer: async () => {} });
  return pretended.plan();
}
