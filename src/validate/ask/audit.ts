// Is the result of all rules together right (SPEC 10)? A fresh uniform sample of u and C(u): are they the same page,
// and does C(u) answer without a redirect? Rules were tried one by one; what can still be wrong is what one rule makes
// of another's forms.
//
// A tenth of the sample are URLs that the list lacks and that the rules change, so that the error bound is about the
// site and not only the list.
//
// A URL that no rule changes is its own form and needs no request. A failure is blamed on the first step that led to
// another page. That step's rule gets a condition that separates failures from successes, or an exception, or is
// dropped.
import { failureBound } from '../../base/binomial.js';
import { decodeText, encodeText } from '../../base/bytes.js';
import { addTo } from '../../base/group-by.js';
import type { Audit, Rule } from '../../rule/rule.js';
import { isPinned } from '../../rule/standing.js';
import { drawNumber } from '../sample.js';
import type { Asker } from './answer.js';
import { askProbe } from './probe/answer.js';
import type { Tomorrow } from './probe/audited.js';
import { hasTooManyExceptions } from './bound.js';
import { separate, withConditions } from './conditions.js';
import type { SiteForms } from './site-forms.js';

/** Lists what each rule in turn makes of a URL. */
export type Explain = (url: string) => readonly { readonly rule: Rule | undefined; readonly form: string }[];

export interface AuditOptions {
  /** URLs that the list lacks; they are part of the sample. */
  readonly tomorrow?: readonly Tomorrow[];
  /** Sample size. */
  readonly sample: number;
  readonly seed: number;
}

export interface Failure {
  readonly url: string;
  readonly form: string;
  readonly kind: 'different' | 'dead' | 'redirecting';
  readonly reason: string;
}

export interface Findings {
  readonly sample: number;
  /** URLs of the sample that the list lacks. */
  readonly probes: number;
  readonly failures: readonly Failure[];
  readonly unjudged: Readonly<Record<string, number>>;
  /** Changed URLs whose form is right. */
  readonly right: readonly string[];
  readonly stop: boolean;
}

/** Audits a sample of `options.sample` URLs; each `round` draws another sample. */
export async function auditRound(
  forms: SiteForms,
  asker: Asker,
  { sample, seed, tomorrow = [] }: AuditOptions,
  round: number,
): Promise<Findings> {
  const draw = drawOf(forms, seed, round);
  const failures: Failure[] = [];
  const right: string[] = [];
  const unjudged: Record<string, number> = {};
  let judged = 0;
  let probes = 0;
  // If no changed URL could be compared, the unchanged ones must not make the audit look good.
  const found = (stop: boolean): Findings => {
    const isBlind = right.length + failures.length === 0 && (stop || Object.keys(unjudged).length > 0);
    return { sample: isBlind ? 0 : judged, probes: isBlind ? 0 : probes, failures, unjudged, right, stop };
  };
  for (const { url, form } of tomorrow) {
    const said = await askProbe({ form: url, image: form }, asker);
    if (said.kind === 'stop') break;
    if (said.kind === 'silent') continue;
    judged++;
    probes++;
    if (said.kind === 'right') right.push(url);
    else failures.push(failureOf(url, form, said.reason));
  }
  for (const url of draw) {
    if (judged >= sample) break;
    const form = forms.formOf(url);
    if (form === url) {
      judged++;
      continue;
    }
    const answer = await asker.ask(url, form);
    if (answer.kind === 'stop') return found(true);
    if (answer.kind === 'unjudged') {
      unjudged[answer.reason] = (unjudged[answer.reason] ?? 0) + 1;
      continue;
    }
    judged++;
    if (answer.kind === 'positive') right.push(url);
    else failures.push(failureOf(url, form, answer.reason));
  }
  return found(false);
}

/** All URLs, in the order in which a round takes them. */
function drawOf(forms: SiteForms, seed: number, round: number): string[] {
  return forms.urls
    .map((url) => ({ url, number: drawNumber(encodeText(url), (seed + 0x5eed * (round + 1)) | 0) }))
    .sort((a, b) => a.number - b.number)
    .map(({ url }) => url);
}

/** How many pages the first round would have to ask for that nobody has asked for yet. */
export function pagesToAudit(
  forms: SiteForms,
  { sample, seed }: Pick<AuditOptions, 'sample' | 'seed'>,
  isKept: (url: string) => boolean,
): number {
  const pages = drawOf(forms, seed, 0)
    .slice(0, sample)
    .flatMap((url) => {
      const form = forms.formOf(url);
      return form === url ? [] : [url, form];
    });
  return new Set(pages.filter((url) => !isKept(url))).size;
}

/** How many of the largest groups (URLs with the same form) are inspected, and how many URLs of each. */
const LARGEST_GROUPS = 20;
const URLS_PER_GROUP = 2;

/**
 * Inspects the largest groups, where a wrong merge hides the most URLs. From each it takes URLs that reached the form
 * by different steps. This is no random sample, so no rate is estimated.
 */
export async function auditTour(
  forms: SiteForms,
  asker: Asker,
  explain: Explain,
): Promise<Pick<Findings, 'failures' | 'right' | 'stop'>> {
  const groups = new Map<string, string[]>();
  for (const [url, form] of forms.entries()) {
    if (form === url) continue;
    addTo(groups, form, url);
  }
  const largest = [...groups]
    .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))
    .slice(0, LARGEST_GROUPS);
  const failures: Failure[] = [];
  const right: string[] = [];
  for (const [form, members] of largest) {
    const ways = new Set<string>();
    for (const url of members) {
      if (ways.size === URLS_PER_GROUP) break;
      const way = explain(url)
        .map(({ rule }) => rule?.rank)
        .join(' ');
      if (ways.has(way)) continue;
      ways.add(way);
      const answer = await asker.ask(url, form);
      if (answer.kind === 'stop') return { failures, right, stop: true };
      if (answer.kind === 'positive') right.push(url);
      if (answer.kind === 'negative') failures.push(failureOf(url, form, answer.reason));
    }
  }
  return { failures, right, stop: false };
}

function failureOf(url: string, form: string, reason: string): Failure {
  const kind = reason === 'redirects' ? 'redirecting' : /^(?:status|redirect)/.test(reason) ? 'dead' : 'different';
  return { url, form, kind, reason };
}

interface Blame {
  readonly rule: Rule;
  /** The form that the rule was applied to. */
  readonly handed: string;
}

/** The first step whose result is another page, or does not answer by itself. */
async function blameOf({ url }: Failure, explain: Explain, asker: Asker): Promise<Blame | undefined> {
  let before = url;
  let last: Blame | undefined;
  for (const { rule, form } of explain(url)) {
    if (rule !== undefined) {
      last = { rule, handed: before };
      const answer = await asker.ask(url, form);
      if (answer.kind === 'negative') return last;
    }
    before = form;
  }
  return last;
}

/** The forms that a rule changed on the way of URLs that came out right. */
function handedTo(rule: Rule, right: readonly string[], explain: Explain): string[] {
  return right.flatMap((url) => {
    let before = url;
    for (const step of explain(url)) {
      if (step.rule === rule) return [before];
      before = step.form;
    }
    return [];
  });
}

export interface Mended {
  readonly rules: readonly Rule[];
  readonly narrowed: number;
  readonly retired: readonly Rule[];
}

/**
 * Narrows or drops the rules that caused failures. `last`: no round follows, so rules that are still often wrong are
 * dropped. `retire`: all of them are dropped. A pinned rule stays as it was written.
 */
export async function mend(
  rules: readonly Rule[],
  { failures, right }: Pick<Findings, 'failures' | 'right'>,
  explain: Explain,
  forms: SiteForms,
  asker: Asker,
  how: 'narrow' | 'last' | 'retire' = 'narrow',
): Promise<Mended> {
  const blamed = new Map<Rule, string[]>();
  const made = new Map<Rule, number>();
  const listed = new Set(forms.urls);
  for (const failure of failures) {
    const blame = await blameOf(failure, explain, asker);
    if (blame === undefined || isPinned(blame.rule)) continue;
    addTo(blamed, blame.rule, blame.handed);
    if (!listed.has(failure.url)) made.set(blame.rule, (made.get(blame.rule) ?? 0) + 1);
  }
  const rightMade = right.filter((url) => !listed.has(url));
  const retired: Rule[] = [];
  let narrowed = 0;
  const mended = rules.flatMap((rule): Rule[] => {
    const handed = blamed.get(rule);
    if (handed === undefined) return [rule];
    const rights = handedTo(rule, right, explain);
    const ofTomorrow = isMany(made.get(rule) ?? 0, handedTo(rule, rightMade, explain).length);
    const isMostlyWrong = isMany(handed.length, rights.length, how === 'last' ? 0.02 : 0.25) || ofTomorrow;
    const reach = forms.urls;
    const conditions =
      rights.length < 2 ? undefined : separate(rights, handed, reach).find(({ not }) => not.length > 0);
    const excepting = { ...rule, except: [...new Set([...(rule.except ?? []), ...handed])] };
    const isHopeless = isMostlyWrong || rights.length === 0 || hasTooManyExceptions(excepting);
    if (how === 'retire' || (conditions === undefined && isHopeless)) {
      retired.push(rule);
      return [];
    }
    narrowed++;
    if (conditions === undefined) return [excepting];
    return [withConditions(rule, { only: rule.only ?? [], not: [...(rule.not ?? []), ...conditions.not] })];
  });
  return { rules: mended, narrowed, retired };
}

/** True if there are too many failures to list as exceptions. */
function isMany(wrong: number, right: number, most = 0.25): boolean {
  return wrong > 1 && wrong > most * (wrong + right);
}

export function auditOf(
  { sample, probes, failures, unjudged, stop }: Findings,
  forms: SiteForms,
  { wanted, narrowed, retired, unsettled }: Pick<Audit, 'narrowed' | 'retired' | 'unsettled'> & { wanted: number },
): Audit {
  const count = (kind: Failure['kind']) => failures.filter((one) => one.kind === kind).length;
  const longer = [...forms.entries()].filter(([url, form]) => lengthOf(form) > lengthOf(url)).length;
  return {
    sample,
    ...(probes > 0 && { probes }),
    ...(stop && sample < wanted && { wanted }),
    different: count('different'),
    dead: count('dead'),
    redirecting: count('redirecting'),
    unjudged,
    bound: failureBound(failures.length, sample),
    failures: failures.slice(0, 5).map(({ url, form, reason }) => [url, form, reason] as const),
    urls: forms.urls.length,
    forms: forms.count,
    longer,
    unsettled,
    narrowed,
    retired,
  };
}

function lengthOf(url: string): number {
  return encodeText(url).length;
}

export function explainBy(
  trace: (url: Uint8Array) => {
    readonly steps: readonly { readonly rule: Rule | undefined; readonly form: Uint8Array }[];
  },
): Explain {
  return (url) => trace(encodeText(url)).steps.map(({ rule, form }) => ({ rule, form: decodeText(form) }));
}

/** Combines the audits of several sites. */
export function combinedAudit(audits: readonly Audit[]): Audit {
  const sum = (of: (audit: Audit) => number) => audits.reduce((all, audit) => all + of(audit), 0);
  const sample = sum((one) => one.sample);
  const probes = sum((one) => one.probes ?? 0);
  const wanted = sum((one) => one.wanted ?? one.sample);
  const failed = sum((one) => one.different + one.dead + one.redirecting);
  const unjudged: Record<string, number> = {};
  for (const audit of audits) {
    for (const [reason, n] of Object.entries(audit.unjudged)) unjudged[reason] = (unjudged[reason] ?? 0) + n;
  }
  return {
    sample,
    ...(probes > 0 && { probes }),
    ...(wanted > sample && { wanted }),
    different: sum((one) => one.different),
    dead: sum((one) => one.dead),
    redirecting: sum((one) => one.redirecting),
    unjudged,
    bound: failureBound(failed, sample),
    failures: audits.flatMap(({ failures }) => failures).slice(0, 5),
    urls: sum((one) => one.urls),
    forms: sum((one) => one.forms),
    longer: sum((one) => one.longer),
    unsettled: sum((one) => one.unsettled),
    narrowed: sum((one) => one.narrowed),
    retired: sum((one) => one.retired),
  };
}

/** Ranks are positions. */
export function ranked(rules: readonly Rule[]): Rule[] {
  return rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
}
