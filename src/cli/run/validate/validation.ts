// Runs planned validations, and keeps the rules file complete all the time. For `validate` and `mine --fetch`.
//
// Sites are validated concurrently, the rules of a site one after another. The file is written at checkpoints, at the
// end, and when a signal ends the run, always with everything that was settled by then.
import { many, parseMemory } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createSink } from '../../../base/output.js';
import type { SpillOptions } from '../../../base/spill.js';
import { bytesFor, roomFor } from '../../../memory-plan.js';
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
import { isPassedOn } from '../../../rule/passed-on.js';
import type { Rule, RulesFile, Validation } from '../../../rule/rule.js';
import { accepts, isOpen } from '../../../rule/standing.js';
import { settleRule } from '../../../rule/visit.js';
import type { Question } from '../../../validate/ask/ask.js';
import { MAX_URLS } from '../../../validate/ask/list.js';
import { createDryRun, createPretended, type DryRun } from '../../../validate/dry-run.js';
import { validateRules } from '../../../validate/paper/figure-4.js';
import { leftOutOf } from '../../../validate/permission/left-out.js';
import { MAX_URLS_OF_ALL, type PlanOptions, type SitePlan } from '../../../validate/plan.js';
import type { Settlement } from '../../../validate/settlement.js';
import { SiteLists } from '../../../validate/site-lists.js';
import type { PageSource } from '../../../validate/source.js';
import type { ValidationFlags } from '../../flags/validation.js';
import { endedBySignal } from '../../terminal/signals.js';
import type { Readership } from '../input/readership.js';
import type { RulesOutput } from '../rules/kept-back.js';
import { writeSummary } from '../summary.js';
import { Answers } from './answers.js';
import { askAll } from './asking.js';
import { classesOf, hostsLine, plansOfSites, settleClasses } from './hosts.js';
import { nothingAnswered, nothingToAsk } from './nothing.js';
import { openSource, siteOfPages, sourceName } from './page-source.js';
import { isAsking, readTrackers, type Run, siteAsked } from './run.js';
import { sampledLine } from './sampled.js';
import { createPace, type Requests, requestsFor, timeWords } from './time.js';

/** How many sites are validated concurrently. */
const SITES_AT_ONCE = 8;
/** Of a URL with its sketch and its forms, while its site is asked: 100,000 of one site took 400 MB, without the mining. */
const BYTES_PER_URL = 4000;
/** Milliseconds between two checkpoints, at least. */
const CHECKPOINT_MS = 10_000;
/** A checkpoint of many rules takes seconds: so many times longer passes before the next. */
const PAUSE = 20;

export function planOptions(
  file: Pick<RulesFile, 'urlForm'>,
  flags: ValidationFlags & { readonly memory: string; readonly tmpdir: string },
  readership: Readership | undefined,
): PlanOptions {
  const withSketches = flags.bySketch === true;
  const forAsking = isAsking(flags);
  const room = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: flags.tmpdir };
  return {
    ...(readership !== undefined && { asStranger: (url: string) => readership.stranger.url(url) }),
    seed: flags.seed,
    tries: 3 * flags.N,
    pathOnly: file.urlForm === 'path',
    withSketches,
    forAsking,
    ...(withSketches && forAsking ? judgingAll(room) : { room: { urls: MAX_URLS_OF_ALL } }),
  };
}

/**
 * Sketches cost no request, so all URLs are judged. Only a site that does not fit into memory is sampled, and never more
 * sparsely than a live one.
 */
function judgingAll(room: SpillOptions): Pick<PlanOptions, 'lists' | 'mostUrls'> {
  const mostUrls = Math.max(MAX_URLS, Math.floor(bytesFor('asking/site', room.memoryBytes) / BYTES_PER_URL));
  return { lists: new SiteLists(roomFor('asking/lists', room)), mostUrls };
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
    const { source, isDamaged, hold } = await openSource(run, signal, effects);
    const { output } = run;
    const settled = new Map<Rule, Settlement>();
    // A site that sketches judge is soon judged again: after an interruption that gives the result of a whole run.
    const answersOf = (one: Run) => new Answers(one, { onlyEnded: source.name === 'log' });
    let answers = answersOf(run);
    let ofClasses: readonly Settlement[] = [];
    let ofVisitors = 0;
    let ended = 0;
    let areClassesCut = false;
    const result = (): RulesFile => {
      const { partial: _, ...all } = isAsking(flags) ? answers.assemble() : assemble(run, settled);
      const rules = all.rules.filter(isPassedOn);
      ofVisitors = all.rules.length - rules.length;
      if (areClassesCut) return { ...all, rules, partial: CLASSES_CUT };
      return ended === asked.length ? { ...all, rules } : partialFile({ ...all, rules }, ended, asked.length);
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
          leftOutReport(run, asked, source) +
            hostsLine(run) +
            sampledLine(asked, source, flags.memory) +
            announcement(run, asked, source, expected),
        );
      effects.progress?.begin({
        name: 'validating',
        ...(isPaced ? { unit: 'pages', total: expected.expected } : { unit: 'rules', total: pendingCount(asked) }),
      });
      const checkpoint = checkpoints(output, result, effects);
      const onSettled = () => {
        if (!isPaced) effects.progress?.add(1);
        return checkpoint();
      };
      const onEnd = async () => void ended++;
      if (isAsking(flags)) {
        ({ run, settlements: ofClasses } = await settleClasses(run, { source, signal, hold }));
        areClassesCut = ofClasses.length > 0 && signal.aborted;
        answers = answersOf(run);
      }
      if (run.elsewhere !== undefined) {
        for (const { site, outcome } of run.elsewhere) answers.take(site, outcome);
        ended = asked.length;
      } else if (isAsking(flags)) {
        const onQuestion =
          flags.trace === true ? (one: Question) => effects.stderr.write(questionLine(one)) : undefined;
        const now = effects.now().getTime();
        await askAll(asked, run, {
          source,
          signal,
          now,
          hold,
          onAnswer: (plan, answer, list) => {
            answers.note(plan, answer, list);
            return onSettled();
          },
          onEnd: (plan) => {
            answers.end(plan);
            return onEnd();
          },
          onPages,
          onQuestion,
        });
      } else await settleAll(asked, run, { source, signal, settled, onSettled, onEnd });
    } finally {
      await source.close();
    }
    const written = result();
    if (written.partial === undefined) await output.finish(written);
    else {
      await output.save(() => written);
      effects.stderr.write(stoppedLine(written.partial, output));
    }
    await run.asked?.keep();
    const ofFile = isAsking(flags)
      ? [...ofClasses, ...answers.settlements()]
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

/** The file of a run that has judged so many sites to the end. */
export function partialFile(file: RulesFile, judged: number, of: number): RulesFile {
  return { ...file, partial: `${judged} of ${many(of, 'site')} judged` };
}

const CLASSES_CUT = 'rules of classes of hosts not judged to the end';

function stoppedLine(partial: string, output: RulesOutput): string {
  const where = output.name === '-' ? 'the file' : printable(output.partialName);
  const stays = output.keepsWhole ? `; ${printable(output.name)} is as it was before the run` : '';
  return `dustbuster: stopped early: ${where} is partial (${partial})${stays}\n`;
}

/** Writes the file every few seconds at most. Standard output can take only one file, so there it writes nothing. */
function checkpoints(output: RulesOutput, result: () => RulesFile, effects: Effects): () => Promise<void> {
  const clock = () => effects.now().getTime();
  let next = clock() + CHECKPOINT_MS;
  return async () => {
    const begun = clock();
    if (output.name === '-' || begun < next) return;
    next = Infinity;
    await output.save(result);
    const took = clock() - begun;
    next = begun + took + Math.max(CHECKPOINT_MS, PAUSE * took);
  };
}

interface Settling {
  readonly source: PageSource;
  readonly signal: AbortSignal;
  /** Filled while rules are settled. */
  readonly settled: Map<Rule, Settlement>;
  readonly onSettled: () => Promise<void>;
  readonly onEnd: () => Promise<void>;
}

async function settleAll(
  plans: readonly SitePlan[],
  run: Run,
  { source, signal, settled, onSettled, onEnd }: Settling,
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
      if (!signal.aborted) await onEnd();
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
  const each = asked.map(({ list }) => requestsFor(list?.count ?? 0, flags));
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
  const { source, isDamaged, hold } = await openSource(run, signal, effects);
  const now = effects.now().getTime();
  const plan = isAsking(run.flags) ? await dryAsking(asked, run, { source, now, hold }) : dryRules(asked, run, source);
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
  { source, now, hold }: Pick<Parameters<typeof askAll>[2], 'source' | 'now' | 'hold'>,
): Promise<DryRun> {
  const pretended = createPretended(source, { maxFetches: run.flags.maxFetches, kindOf: kindsOf(run) });
  const { signal } = new AbortController();
  await settleClasses(run, { source: pretended, signal, hold });
  await askAll(asked, run, { source: pretended, signal, now, hold, onAnswer: () => {} });
  return pretended.plan();
}
