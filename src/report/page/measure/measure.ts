// Computes the model of the report: of a rules file, and of a log under its rules.
//
//   records ─ visits ─→ distinct URLs with their costs ─┬→ ladder ─→ keyed-groups   groups, sites, curve
//                                                       ├→ fix-links, -savings  what to do
//                                                       └→ beside               touched and saved, by rule
//
// The table of parameters is read off the inventory that rules are mined from, which comes with the visits.
//
// Each arrow ends in a sort or a tally that is spilled to disk if it outgrows its share of the memory: only the sites'
// numbers, the rules, and the listed rows stay in memory.
import { type Progress, PROGRESS_MASK } from '../../../base/progress.js';
import type { SpillRoom } from '../../../base/spill.js';
import { type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import type { BotRanges } from '../../../log/agents/addresses.js';
import { type InputSummary, type RecordBatch, withoutText } from '../../../log/record.js';
import { bytesFor, roomFor } from '../../../memory-plan.js';
import { Miner } from '../../../mine/mine.js';
import type { Listing } from '../../../mine/parameter-facts.js';
import { maskedValidation, passedOn } from '../../../rule/passed-on.js';
import type { RecordedFilters, Rule, RulesFile } from '../../../rule/rule.js';
import { type Accept, accepts, calledOf, isToBeProved } from '../../../rule/standing.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { MASK, masked, secretKindOf } from '../../../url/secret.js';
import type { BeforeReport } from '../../before/read.js';
import { isValidated, precisionByVerdict } from '../../measure.js';
import { msOf } from '../../sort-keys.js';
import type {
  BeforeFacts,
  CrawlSpace,
  DuplicateGroup,
  Fix,
  LogFacts,
  ParameterRow,
  PrecisionPoint,
  ReportModel,
  RuleRow,
} from '../model.js';
import { type Beside, measureBeside, type Savings } from './beside.js';
import { CrawlSpaceMeter } from './crawl-space.js';
import { AfterMeter } from './after.js';
import type { EchoMeter } from './echoes.js';
import { FixLinks } from './fix-links.js';
import { FixSavings } from './fix-savings.js';
import { type ExpressedBy, fixesOf, type LinesOf, rankedFixes, unprovenOf } from './fixes.js';
import { NO_FIX } from './group.js';
import { isGrouping, KeyedGroups } from './keyed-groups.js';
import { FormLadder, ladderOf } from './ladder.js';
import { changesPages, parameterTable } from './parameters.js';
import type { Saving } from './savings.js';
import { ListMeter } from './lists.js';
import { TemplateMeter } from './templates.js';
import { Visits } from './visits.js';
import { unlistedRows } from './who.js';

export interface ReportOptions {
  /** What the rules file is called. */
  readonly name: string;
  readonly generator: string;
  /** ISO 8601; left out for a report without a date. */
  readonly created?: string;
  readonly accept: Accept;
  readonly maxIterations: number;
  /** Sites and groups that are listed individually; the others are added up. */
  readonly top: number;
  /** The lines that make software apply some rules: what `export` writes. */
  readonly linesOf: LinesOf;
  /** By default all rules are expressed, as `canonize` applies them. */
  readonly expressedBy?: ExpressedBy;
  /** For all tables and sorts together. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** With more than one, the rules of a large log are measured by a thread. */
  readonly threads: number;
  /** The addresses of bots that the log was read with. */
  readonly botRanges?: readonly BotRanges[];
  /** Earlier reports to compare the log to; at least one. */
  readonly before?: readonly BeforeReport[];
  /** Gets the number of URLs measured. */
  readonly progress?: Progress | undefined;
}

/** A log that was read. */
export interface LogRead {
  readonly visits: Visits;
  /** Its parameters: those that are listed individually, and how many there are. */
  readonly listing: Listing;
  /** Requests and their referrers, if the log was read for them. */
  readonly echoes?: EchoMeter;
  readonly inputs: readonly InputSummary[];
  readonly filters?: RecordedFilters;
}

/** Receives the records; its memory is part of the report's. */
export function createVisits({ memoryBytes, tmpdir }: Pick<ReportOptions, 'memoryBytes' | 'tmpdir'>): Visits {
  return new Visits({ memoryBytes, tmpdir, stats: { runs: 0, bytes: 0 } });
}

/** What a log is read for: its visits, and its parameters. */
export interface LogReader {
  add(batch: RecordBatch): void;
  finish(): Pick<LogRead, 'visits' | 'listing'>;
}

/** Reads a log whose rules are known. */
export function createLogReader(
  { options: mined }: RulesFile,
  { top, progress, ...memory }: Pick<ReportOptions, 'memoryBytes' | 'tmpdir' | 'top' | 'progress'>,
): LogReader {
  const visits = createVisits(memory);
  const limits = { ...memory, memoryBytes: bytesFor('report/parameters', memory.memoryBytes), progress };
  const miner = new Miner({ ...mined, listed: top }, createSiteOf(mined.site), limits);
  return {
    add: (batch) => {
      visits.add(batch);
      miner.add(batch);
    },
    finish: () => ({ visits, listing: miner.listParameters() }),
  };
}

/** Without a log: only what the rules file says. */
export function measureReport(file: RulesFile, log: LogRead | undefined, options: ReportOptions): ReportModel {
  const rules = file.rules.flatMap((rule) => passedOn(rule) ?? []).sort((a, b) => a.rank - b.rank);
  const measured = log === undefined ? undefined : measureLog(rules, file, log, options);
  const filters = log === undefined ? file.options.filters : log.filters;
  return {
    format: 'dustbuster-report',
    version: 2,
    generator: options.generator,
    ...(options.created !== undefined && { created: options.created }),
    rulesFile: {
      name: options.name,
      generator: file.generator,
      ...(file.created !== undefined && { created: file.created }),
      ...(file.night !== undefined && { night: file.night }),
      urls: file.urls,
      sites: file.sites,
      accept: options.accept,
      options: file.options,
      ...(file.validation !== undefined && { validation: maskedValidation(file.validation) }),
    },
    inputs: log === undefined ? file.inputs : log.inputs.map(withoutText),
    ...(filters !== undefined && { filters }),
    rules: rules.map((rule, place) => ruleRow(rule, options, measured?.savings.get(place))),
    ...(measured !== undefined && { log: maskedLog(measured.log) }),
    ...(measured?.before !== undefined && { before: measured.before }),
    precision: isValidated(file) ? precisionOf(rules) : [],
  };
}

function ruleRow(rule: Rule, { accept }: ReportOptions, measured: Saving | undefined): RuleRow {
  const { touched, saved } = measured ?? {};
  return {
    rule,
    standing: calledOf(rule),
    isApplied: accepts(rule, accept),
    ...(isGrouping(rule, accept) && { isGrouping: true as const }),
    ...(touched !== undefined && { touched }),
    ...(saved !== undefined && { saved }),
  };
}

function precisionOf(rules: readonly Rule[]): PrecisionPoint[] {
  return precisionByVerdict(rules, ladderOf(rules.length)).map(({ k, right, wrong, unjudged }) => ({
    k,
    right,
    wrong,
    unjudged,
  }));
}

interface Measured {
  readonly log: LogFacts;
  readonly savings: Savings;
  readonly before: BeforeFacts | undefined;
}

function measureLog(
  rules: readonly Rule[],
  { normalization: normalize, urlForm, options: { site: sitePolicy } }: RulesFile,
  log: LogRead,
  options: ReportOptions,
): Measured {
  const { accept, maxIterations } = options;
  const how: CanonizerOptions = { normalize, accept, maxIterations, urlForm, sitePolicy };
  const beside = measureBeside(log.visits, { rules, how, ...options });
  try {
    return measureUrls(rules, how, log, beside, options);
  } finally {
    beside.close();
  }
}

function measureUrls(
  rules: readonly Rule[],
  how: CanonizerOptions,
  { visits, listing, echoes }: LogRead,
  beside: Beside,
  options: ReportOptions,
): Measured {
  const { accept, memoryBytes, tmpdir, top } = options;
  const room: SpillRoom = { memoryBytes, tmpdir, stats: { runs: 0, bytes: 0 } };
  const siteOf = createSiteOf(how.sitePolicy);
  const ladder = new FormLadder(rules, how);
  const applied = rules.filter((rule) => accepts(rule, accept));
  const table = parameterTable(listing, { applied, isPathOnly: how.urlForm === 'path' });
  const { parameters, others } = table;
  const isChanging = changesPages(table);
  const isUnsure = (rule: Rule) => isToBeProved(rule) || isChanging(rule);
  const fixes = fixesOf(applied, isUnsure);
  const places = new Map(rules.map((rule, place) => [rule, place]));
  const groups = new KeyedGroups(
    rules,
    how,
    {
      siteOf,
      canonize: (url) => ladder.canonize(url),
      steps: ladder.steps.length,
      fixes: fixes.length,
      top,
      visitors: visits.visitors,
    },
    roomFor('report/groups', room),
  );
  const links = new FixLinks(fixes, how);
  const fixSavings = new FixSavings(roomFor('report/fixes', room));
  const fixNumbers = new Map(fixes.flatMap(({ rules: some }, number) => some.map((rule) => [rule, number] as const)));
  const crawlSpace = new CrawlSpaceMeter();
  const lists = new ListMeter(siteOf);
  const after = new AfterMeter(visits.answers, {
    fixes,
    fixNumbers,
    rules: applied,
    how,
    redirects: (one) => fixSavings.addRedirected(one, links.bitsOf(one.url)),
    hits: visits.hits,
    before: options.before,
    botRanges: options.botRanges,
  });
  let measured = 0;
  visits.each((visited) => {
    if ((++measured & PROGRESS_MASK) === 0) options.progress?.add(PROGRESS_MASK + 1);
    const { url } = visited;
    const form = ladder.walk(url, (other) => groups.addForm(other));
    groups.addUrl(visited, form, form.first === undefined ? NO_FIX : fixNumbers.get(form.first)!);
    fixSavings.add(visited, form.first === undefined ? 0 : links.add(url, form.changing));
    beside.add(visited);
    crawlSpace.add(visited);
    lists.add(visited);
    after.add(visited, form.first);
  });
  options.progress?.add(measured & PROGRESS_MASK);
  const looked = lists.urls();
  const templates = new TemplateMeter(looked, visits.visitors, siteOf);
  const { formsAt, saved, micros, duplicateMicros, ...grouped } = groups.finish(templates);
  const { byTemplate, byVisitor, byDay, ...visitors } = visits.visitors.finish(visits.hasDurations);
  const savings = beside.finish();
  const savingOf = (rule: Rule) => savings.get(places.get(rule)!);
  const log: LogFacts = {
    ...grouped,
    ...(visits.hasDurations && { time: { ms: msOf(micros), duplicateMs: msOf(duplicateMicros) } }),
    ...visitors,
    ...rankedFixes(
      fixes,
      {
        joined: links.joined(),
        first: after.withoutDone(saved),
        savingsOf: (forms, places) => fixSavings.finish(forms, places),
        canonizeBy: (some) => {
          const canonizer = createCanonizer(some, how);
          return (url) => canonizer.canonize(url);
        },
        savingOf,
      },
      { ...options, isUnsure, hasDurations: visits.hasDurations },
    ),
    unproven: unprovenOf(rules, { savingOf }, isUnsure),
    reduction: ladder.steps.map((k, step) => ({ k, urlsAfter: formsAt[step]! })),
    crawlSpace: crawlSpace.finish(
      parameters,
      applied.map((rule) => ({ rule, touched: savingOf(rule)?.touched })),
    ),
    ...lists.finish(parameters, looked),
    ...templates.finish(byTemplate),
    ...unlistedRows(visits.unlisted),
    ...after.finish({ byVisitor, byDay, hasAgents: visits.hasAgents }),
    ...echoes?.finish({ parameters, urls: looked, templateOf: (url) => templates.templateOf(url) }),
    parameters,
    ...(others > 0 && { otherParameters: others }),
    unsettled: ladder.unsettled,
    hasSizes: visits.hasSizes,
    hasAgents: visits.hasAgents,
  };
  return { log, savings, before: after.compare(log) };
}

/** The log of a report without values of visitors: a report is passed on, and URLs are examples in it. */
function maskedLog(log: LogFacts): LogFacts {
  return {
    ...log,
    groups: log.groups.map(maskedGroup),
    fixes: log.fixes.map(maskedFix),
    crawlSpace: log.crawlSpace.map(maskedSpace),
    parameters: log.parameters.map(maskedParameter),
  };
}

function maskedGroup(group: DuplicateGroup): DuplicateGroup {
  const members = group.members.map(({ url, hits }) => ({ url: masked(url), hits }));
  return { ...group, canonical: masked(group.canonical), members };
}

function maskedFix(fix: Fix): Fix {
  return { ...fix, examples: fix.examples.map(([url, form]) => [masked(url), masked(form)] as const) };
}

function maskedSpace(space: CrawlSpace): CrawlSpace {
  const { parameters, endless } = space;
  const some = parameters.map((one) => ({ ...one, ...maskedField(one.name, one.values) }));
  if (endless === undefined) return { ...space, parameters: some };
  return { ...space, parameters: some, endless: { ...endless, examples: endless.examples.map(masked) } };
}

function maskedParameter(row: ParameterRow): ParameterRow {
  const { name, values: commonest } = maskedField(row.name, row.commonest);
  return { ...row, name, commonest };
}

/** In a field without `=`, the name is the value. */
function maskedField(name: string, values: readonly string[]) {
  const shown = values.map((value) => (secretKindOf(name, value) === undefined ? value : MASK));
  return { name: secretKindOf('', name) === undefined ? name : MASK, values: [...new Set(shown)] };
}
