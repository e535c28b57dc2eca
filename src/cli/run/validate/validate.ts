// What `dustbuster validate` runs: a rules file and a test list -> samples -> pages -> the rules file with verdicts.
import { parseMemory } from '../../../base/amounts.js';
import { encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createSink } from '../../../base/output.js';
import { groupBy } from '../../../base/group-by.js';
import type { Progress } from '../../../base/progress.js';
import type { Input } from '../../../log/bytes.js';
import type { Filters } from '../../../log/filter.js';
import { findInputs } from '../../../log/inputs.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import type { RecordBatch } from '../../../log/record.js';
import { PartOfContents } from '../../../mine/part-of-contents.js';
import { countsReport } from '../../../report/render.js';
import { rulesTable } from '../../../report/rules-table.js';
import { validateSummary } from '../../../report/summary.js';
import { deadShare } from '../../../report/validation.js';
import { holdingBack } from '../../../rule/held-back.js';
import type { Audit, Rule, RulesFile } from '../../../rule/rule.js';
import type { SiteReader } from '../../../table/merged-sites.js';
import { UrlListBuilder } from '../../../table/url-list.js';
import { createOneSiteOf, createSiteOf, ONE_SITE } from '../../../url/public-suffix.js';
import type { HostPlanner } from '../../../validate/hosts/plan.js';
import { Planner, type PlanOptions, type SitePlan } from '../../../validate/plan.js';
import { refuseOddDefault } from '../../context.js';
import { refuseTwice } from '../../files.js';
import type { PartFlags } from '../../flags/filter.js';
import type { FormatFlags } from '../../flags/format.js';
import type { ValidateFlags } from '../../flags/validate.js';
import type { ValidationFlags } from '../../flags/validation.js';
import { preferenceOf, writeOf } from '../../flags/wishes.js';
import { computed } from '../../terminal/signals.js';
import { widthOf } from '../../terminal/stream.js';
import { filterOptions } from '../input/filters.js';
import { damagedLine } from '../input/folded.js';
import { hostsOfBase, type Readership, readershipFor, refuseOddHost } from '../input/readership.js';
import {
  formatOptions,
  partReport,
  progressOf,
  refuseInside,
  refuseNothing,
  refuseOverwriting,
} from '../input/reading.js';
import { judgeReading } from '../input/warnings.js';
import { RulesOutput, stampOf } from '../rules/kept-back.js';
import { loadRules } from '../rules/load.js';
import { findLocalRules, markRules } from '../rules/local.js';
import { preferRules, preferRulesAloud, refusalOf } from '../rules/prefer.js';
import { refuseMixed, writeSummary } from '../summary.js';
import { askedOfState, minedInputs, stateOfList, withState } from './list-inputs.js';
import { hostPlanner } from './hosts.js';
import { checkSourceFlags } from './page-source.js';
import type { Run } from './run.js';
import { planOptions, runPlans } from './validation.js';
import { nightOfRun, spendingBudget, toVisit } from './visits.js';

/** Returns the exit code. Throws a UserError if there is nothing to validate or to read, or nowhere to write. */
export async function validate(name: string, given: ValidateFlags, effects: Effects): Promise<number> {
  checkSourceFlags(given);
  refuseUnaudited(given);
  refuseTwice(['RULES', [name]], ['--test', given.test ?? []], ['--pages', given.pages ?? []]);
  refuseMixed(given, given.output ?? name, 'the rules');
  const spending = spendingBudget(given);
  const local = await findLocalRules(name, spending, effects);
  const output = given.output ?? name;
  refuseOddDefault(output, effects);
  const stamp = await stampOf(output, effects);
  const marked = markRules(decidedBy(spending, await loadRules(name, effects)), local, effects, spending.quiet);
  const loaded = preferRulesAloud(marked, effects, spending.quiet === true);
  const night = nightOfRun(loaded, spending, effects, { name, hasHistory: spending.budget !== undefined });
  const visit = toVisit(loaded, spending, night);
  const { file } = visit;
  const base = spending.base ?? file.options.base;
  const flags = hostsOfBase(spending, base);
  refuseOddSite(file, flags);
  const pages = await findInputs(flags.bySketch === true ? [] : (flags.pages ?? []), effects);
  refuseOverwriting(pages, [output], effects);
  const state = stateOfList(flags, file, effects);
  if (state !== undefined) refuseInside(state, [output], effects);
  const { filters } = filterOptions(flags, effects);
  const watching = readershipFor(flags);
  const list = flags.test ?? (await logsOf(file, state, watching, flags, effects));
  const readership = list.length === 0 ? undefined : watching;
  const planning = { base, flags: { ...flags, output }, filters, readership, state };
  const { plans, hosts, report, said, isWholeList } = await planByList(file, list, planning, effects);
  const remark = (one: RulesFile) => holdingBack(preferRules(markRules(one, local, effects, true)));
  const asked =
    flags.budget === undefined || state === undefined ? undefined : await askedOfState(state, night!, effects);
  const planned = { ...visit, plans, hosts, base, readership, asked };
  const into = await RulesOutput.open(output, { stamp, source: name }, effects);
  const run: Run = { ...planned, output: into, flags, tmpdir: flags.tmpdir, remark, isWholeList, command: 'validate' };
  const { file: validated, exitCode, counts } = await runPlans(run, effects);
  const isForPeople = flags.quiet !== true && flags.json !== true;
  if (flags.json === true && validated !== undefined) {
    await writeSummary(validateSummary(output, report.inputs, validated.rules, counts!), effects);
  }
  if (validated !== undefined && output !== '-' && isForPeople) {
    const sink = createSink(effects.stdout, { isSafe: true });
    const shape = { top: flags.top, paint: effects.paint, width: widthOf(effects), file: output };
    await sink.write(`${rulesTable(validated.rules, shape)}Written to ${printable(output)}\n`);
    await sink.end();
  }
  if (isForPeople) effects.stderr.write(said);
  const isDead = validated === undefined ? 0 : judgeAudit(validated.validation?.audit, flags, effects);
  return isDead || judgeReading(report, effects, flags) || exitCode;
}

/** The logs of the rules. With a state, they are read only to learn who reads the site, if they still exist. */
async function logsOf(
  file: RulesFile,
  state: string | undefined,
  readership: Readership | undefined,
  { quiet }: ValidateFlags,
  effects: Effects,
): Promise<readonly string[]> {
  if (state !== undefined && readership === undefined) return [];
  const logs = minedInputs(file, effects, { option: '--test', isQuiet: quiet === true || state !== undefined });
  if (state === undefined) return logs;
  return logs.catch((error: unknown) => {
    if (error instanceof UserError) return [];
    throw error;
  });
}

/** The file with the flags' decisions in its options. */
function decidedBy(flags: ValidateFlags, given: RulesFile): RulesFile {
  const write = writeOf(flags, given.options.write);
  const file = write === undefined ? given : { ...given, options: { ...given.options, write } };
  const prefer = preferenceOf(flags, file.options.prefer);
  if (prefer === undefined) return file;
  const preferred = { ...file, options: { ...file.options, prefer } };
  const refusal = refusalOf(preferred);
  if (refusal !== undefined) throw refusal;
  return preferred;
}

/** Throws a UserError unless `--one-site` has an effect: the rules are of all sites and their URLs have hosts. */
function refuseOddSite({ options, urlForm, rules }: RulesFile, { oneSite }: ValidateFlags): void {
  if (oneSite === undefined) return;
  refuseOddHost(oneSite);
  if (new Set(oneSite).size < 2) {
    throw new UserError(`--one-site: got ${printable(oneSite.join(' '))} alone, expected two hosts or more`);
  }
  if (options.site !== 'all' || urlForm === 'path') {
    throw new UserError(
      '--one-site: got rules that belong to a site; expected --base with it, or rules of all sites, as of mirrors --to-rules',
    );
  }
  if (!rules.some(isAsked(oneSite))) {
    throw new UserError(
      `--one-site: no rule leads from one of ${printable(oneSite.join(', '))} to another; name the hosts of a rule`,
    );
  }
}

/** 1 if the share of audited forms that are dead or redirect exceeds the limit, or if no form could be judged. */
function judgeAudit(audit: Audit | undefined, { maxDead }: ValidateFlags, effects: Effects): number {
  if (maxDead === undefined) return 0;
  const { sample, dead, redirecting } = audit ?? { sample: 0, dead: 0, redirecting: 0 };
  const share = audit === undefined ? 0 : deadShare(audit);
  if (sample > 0 && share <= maxDead) return 0;
  const got =
    sample === 0
      ? 'forms are not known, as none could be judged'
      : `${share.toFixed(6)} (${dead} dead and ${redirecting} redirecting of ${sample} forms)`;
  effects.stderr.write(`dustbuster: dead or redirecting ${got}, expected at most ${maxDead}\n`);
  return 1;
}

/** Throws a UserError if a limit is set but no audit will check it. */
function refuseUnaudited({ maxDead, audit }: ValidateFlags): void {
  if (maxDead === undefined || audit > 0) return;
  throw new UserError(`validate: got --max-dead ${maxDead} with --audit 0; expected an audit, as in --audit 300`);
}

/** Plans the validation by a list of URLs, which is any input that can be mined. */
export async function planByList(
  file: RulesFile,
  names: readonly string[],
  { base, flags, filters, readership, state }: Planning,
  effects: Effects,
): Promise<Planned> {
  const inputs = await findInputs(names, effects);
  refuseOverwriting(inputs, [flags.output], effects);
  const planning = planOptions(file, flags, readership);
  return planByInputs(file, inputs, { base, flags, planning, filters, readership, state }, effects);
}

/** Plans the validation by inputs that were found. Some of their records may be left out. */
export async function planByInputs(
  file: RulesFile,
  inputs: readonly Input[],
  { base, flags, planning, filters, readership, state }: InputPlanning,
  effects: Effects,
): Promise<Planned> {
  const report = createReadReport();
  const { scheme, maxUrlLength, site } = file.options;
  const reading = { base, scheme, normalize: file.normalization, maxUrlLength, ...formatOptions(flags) };
  const { progress } = effects;
  const limits = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: flags.tmpdir, progress };
  const { oneSite } = flags;
  const ownSiteOf = oneSite === undefined ? createSiteOf(site) : createOneSiteOf(oneSite);
  const siteOf = file.urlForm === 'path' ? () => '' : ownSiteOf;
  const list = new UrlListBuilder(siteOf, limits, { runs: 0, bytes: 0 });
  const wanted = {
    ...reading,
    ...(filters !== undefined && { filters }),
    ...(readership !== undefined && { visitors: true, clients: true }),
  };
  const watching = { ...wanted, ...progressOf(inputs, effects) };
  const part = flags.partOfContents && new PartOfContents(flags.partOfContents);
  const ofList = (batch: RecordBatch) => list.add(part === undefined ? batch : part.of(batch));
  // With a state, its URLs are used; lines of logs only show who requested them.
  const add = state === undefined ? ofList : () => {};
  const take = readership === undefined ? add : readership.watch(add);
  if (inputs.length > 0 || state === undefined) {
    for await (const batch of readRecordsParallel(inputs, watching, report, flags.threads)) take(batch);
    refuseNothing(report);
  }
  progress?.begin({ name: 'drawing samples', unit: 'URLs' });
  const rules = file.rules.filter(isAsked(oneSite));
  const leastUrls = planning.lists === undefined ? undefined : file.options.minSiteUrls;
  const hosts = hostPlanner(rules, planning);
  const planned = (sites: SiteReader) =>
    computed(() => planAll(rules, sites, { planning, hosts, leastUrls, progress }), effects);
  const { plans, urls } = await (state === undefined
    ? planned(list.finish())
    : withState(state, limits, effects, planned));
  const counts = countsReport(report.inputs, { isVerbose: flags.verbose === true });
  const damaged = damagedLine(list.damagedSketches, 'as none');
  const isWholeList = state !== undefined || (urls === file.urls && isMinedList(file, report));
  return { plans, hosts, report, said: counts + partReport(flags.partOfContents, part) + damaged, isWholeList };
}

interface Planned {
  readonly plans: SitePlan[];
  readonly hosts: HostPlanner;
  readonly report: ReadReport;
  /** What was read, in words. */
  readonly said: string;
  /** True if these are the URLs that the rules were mined from. */
  readonly isWholeList: boolean;
}

interface InputPlanning {
  readonly base: string | null;
  readonly flags: FormatFlags & PartFlags & Pick<ListFlags, 'memory' | 'tmpdir' | 'threads' | 'oneSite' | 'verbose'>;
  readonly planning: PlanOptions;
  readonly filters?: Filters | undefined;
  readonly readership?: Readership | undefined;
  /** The folder of the state whose URLs are the list. */
  readonly state?: string | undefined;
}

interface Planning {
  readonly base: string | null;
  readonly flags: ListFlags;
  readonly filters?: Filters | undefined;
  readonly readership: Readership | undefined;
  readonly state?: string | undefined;
}

type ListFlags = ValidationFlags &
  FormatFlags &
  PartFlags & {
    readonly output?: string;
    readonly memory: string;
    readonly tmpdir: string;
    readonly threads: number;
    readonly verbose?: boolean;
  };

/** True for a rule whose hosts all belong to the one site; other rules are not validated. */
function isAsked(oneSite: readonly string[] | undefined): (rule: Rule) => boolean {
  if (oneSite === undefined) return () => true;
  const siteOf = createOneSiteOf(oneSite);
  const isWithin = (text: string): boolean => {
    const bytes = encodeText(text);
    return !/^https?:\/\/[^/]+\//.test(text) || siteOf(bytes, 0, bytes.length) === ONE_SITE;
  };
  return (rule) => rule.kind !== 'substring' || rule.anchor !== 'start' || [rule.from, rule.to].every(isWithin);
}

/** True if the inputs are those of the rules file, as far as their counts say. */
function isMinedList({ inputs, night }: RulesFile, report: ReadReport): boolean {
  const said = (all: RulesFile['inputs']) =>
    JSON.stringify(
      all.map(({ format, lines, records, dropped, rejected }) => [format, lines, records, dropped, rejected]),
    );
  return night === undefined && said(inputs) === said(report.inputs);
}

interface PlanningAll {
  readonly planning: PlanOptions;
  readonly hosts: HostPlanner;
  /** Sites with so many URLs are asked about although they have no rule; undefined for none of these. */
  readonly leastUrls: number | undefined;
  readonly progress: Progress | undefined;
}

function planAll(
  rules: readonly Rule[],
  reader: SiteReader,
  { planning, hosts, leastUrls = Infinity, progress }: PlanningAll,
) {
  const bySite = groupBy(rules, ({ site }) => site);
  const planner = new Planner(planning);
  let count = 0;
  for (let urls = reader.next(); urls !== undefined; urls = reader.next()) {
    count += urls.count;
    if (reader.urls !== undefined) progress?.add(urls.count);
    hosts.draw(urls);
    const own = bySite.get(urls.site) ?? [];
    if (own.length > 0 || urls.count >= leastUrls) planner.draw(urls, own);
  }
  reader.close();
  return { plans: planner.plans(rules), urls: count };
}
