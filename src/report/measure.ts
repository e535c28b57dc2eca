// How good are the rules (SPEC 12)? Measures of a URL list under a set of rules, and of each rule by itself.
//
// The list has U distinct URLs, before normalization. Each has a canonical form, and some have a label: their known
// content. With f(u) the form and l(u) the label, over the URLs that have one,
//
//   redundancy      (U - |{f(u)}|) / U                                            over all URLs, labelled or not
//   coverage        (D_before - D_after) / D_before,  D_before = labelled URLs - |{l(u)}|
//                                                     D_after  = |{(f(u), l(u))}| - |{l(u)}|
//   the paper's     (labelled URLs - |{f(u)}|) / D_before
//   false merges    for each form, its labelled URLs minus those of its commonest label; over labelled URLs
//   in mixed forms  |{u : some v has f(v) = f(u) and l(v) <> l(u)}|
//   lost pages      contents that are not the commonest of any form, and so not in the canonical list (ties: one stays)
//   longer          |{u : f(u) is longer than u}|
//   dead forms      see `measure-fates`
//
// D_after counts a form once for each content in it: if no form has two contents that is forms - contents, and
// otherwise the false merge gains nothing. So coverage is between 0 and 1, while the paper's exceeds 1 if pages get
// lost. Both are null if there is no dust.
//
// A site's measures are over its URLs alone; the totals are over the whole list, where a content that two sites share
// counts once. External sorts find equal items; nothing in memory grows with the list except the sites' numbers.
import type { SpillStats } from '../base/spill.js';
import { createCanonizer } from '../canonize/canonizer.js';
import { roomFor } from '../memory-plan.js';
import type { Rule, RulesFile } from '../rule/rule.js';
import { type Accept, accepts, isKey } from '../rule/standing.js';
import type { SampleSweep } from '../validate/paper/figure-6.js';
import { type CurveMeasures, CurveMeter } from './measure-curve.js';
import { FateMeter, type Fates, type FormFates } from './measure-fates.js';
import { type FormMeasures, FormMeter, shareOf } from './measure-forms.js';
import type { JoinedUrl, LabelledUrl } from './measure-labels.js';
import { type LeftoverMeasures, LeftoverMeter } from './measure-leftover.js';
import { type RuleMeasures, RuleMeter } from './measure-rules.js';

export interface ListMeasures extends FormMeasures, FormFates {}

export interface SiteMeasures extends ListMeasures {
  readonly site: string;
}

export interface Measures {
  readonly all: ListMeasures;
  /**
   * The same where rules that are only keys count too. A form is then what `canonize --unique` takes for one page.
   * Undefined if no key is in use.
   */
  readonly withKeys?: FormMeasures;
  /** Sorted by name. */
  readonly sites: readonly SiteMeasures[];
  /** All rules of the file in rank order, whatever their status. */
  readonly rules: readonly RuleMeasures[];
  /** Null if no rule of the file was validated. */
  readonly precisionByVerdict: readonly PrecisionAt[] | null;
  /** Null if no URL has a label. */
  readonly precisionByLabels: readonly PrecisionAt[] | null;
  /** How many rules save how much. */
  readonly curve: CurveMeasures;
  /** The dust that is left; undefined unless requested. */
  readonly leftover?: LeftoverMeasures;
  /** Rules that are valid with fewer samples; undefined unless requested. */
  readonly sweep?: SampleSweep;
  /** How many rules the canonical forms were made with. */
  readonly rulesUsed: number;
  /** URLs that stayed unchanged because no canonical form was found. */
  readonly unsettled: number;
}

interface MeasureOptions {
  readonly accept: Accept;
  readonly maxIterations: number;
  /** The statuses in the list. */
  readonly fates?: Fates;
  /** True to find out which dust is left. */
  readonly leftover?: boolean;
  /** Memory for all sorts together. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

/** What `measure` reads of a rules file. */
export type MeasuredFile = Pick<RulesFile, 'rules' | 'normalization' | 'urlForm' | 'validation'> & {
  readonly options: Pick<RulesFile['options'], 'site'>;
};

/**
 * Iterates over `urls` once. Where these have a member `given`, that is the form of the URL instead of what the rules
 * make of it; a URL for which nothing is given is its own form.
 */
export function measure(
  urls: Iterable<LabelledUrl | JoinedUrl>,
  file: MeasuredFile,
  options: MeasureOptions,
): Measures {
  const rules = file.rules.toSorted((a, b) => a.rank - b.rank);
  const { accept, maxIterations, memoryBytes, tmpdir } = options;
  const { normalization: normalize, urlForm } = file;
  const how = { normalize, accept, maxIterations, urlForm, sitePolicy: file.options.site };
  const canonizer = createCanonizer(rules, how);
  const stats: SpillStats = { runs: 0, bytes: 0 };
  // A canonizer without rules only prepares URLs.
  const bare = createCanonizer([], how);
  const room = roomFor('eval/meter', { memoryBytes, tmpdir });
  const forms = new FormMeter(room, stats);
  const keys = rules.some((rule) => isKey(rule) && accepts(rule, accept, 'key'))
    ? { canonizer: createCanonizer(rules, { ...how, use: 'key' }), meter: new FormMeter(room, stats) }
    : undefined;
  const single = new RuleMeter(rules, how, room, stats);
  const leftover = options.leftover === true ? new LeftoverMeter(room, stats) : undefined;
  const curve = new CurveMeter(rules, how, room, stats);
  const meter = new FateMeter(room, stats, options.fates);
  for (const one of urls) {
    const { site, url: listed, label } = one;
    const url = bare.canonize(listed);
    const { unsettled } = canonizer;
    const form = 'given' in one ? bare.canonize(one.given ?? listed) : canonizer.canonize(listed);
    const isUnsettled = canonizer.unsettled > unsettled;
    forms.add({ site, label, form, isLonger: form.length > listed.length, isUnsettled });
    keys?.meter.add({ site, label, form: keys.canonizer.canonize(form), isLonger: false, isUnsettled });
    curve.add(listed);
    leftover?.add(label, form);
    // An unsettled URL is its own form.
    meter.add(site, label, url, isUnsettled ? url : form);
    single.add({ site, url, label });
  }
  const { all, sites } = forms.finish();
  const fatesOf = meter.finish();
  const measured = single.finish();
  return {
    all: { ...all, ...fatesOf(undefined) },
    ...(keys && { withKeys: keys.meter.finish().all }),
    sites: sites.map((site) => ({ ...site, ...fatesOf(site.site) })),
    rules: measured,
    precisionByVerdict: isValidated(file) ? precisionByVerdict(rules) : null,
    precisionByLabels: all.labelled > 0 ? precisionByLabels(measured) : null,
    curve: curve.finish(),
    ...(leftover && { leftover: leftover.finish() }),
    rulesUsed: rules.filter((rule) => accepts(rule, accept)).length,
    unsettled: canonizer.unsettled,
  };
}

/** True if pages were fetched for some rule, whatever the result. */
export function isValidated(file: Pick<RulesFile, 'validation' | 'rules'>): boolean {
  const wasFetched = (rule: Rule) => rule.status !== 'likely' || rule.verdict !== undefined;
  return file.validation !== undefined || file.rules.some(wasFetched);
}

// precision@k (SPEC 12) is measured on the first k rules in rank order.
//
// By verdict a rule is right if it is valid and wrong if it is invalid; by labels see `RuleMeasures.isRight`. A rule
// for which neither is known is unjudged and not counted: precision is right / (right + wrong).

export interface PrecisionAt {
  readonly k: number | 'all';
  readonly right: number;
  readonly wrong: number;
  readonly unjudged: number;
  /** Null if no rule could be judged. */
  readonly precision: number | null;
}

const CUTS = [1, 2, 5, 10, 20, 50, 100];

export function precisionByVerdict(rules: readonly Rule[]): PrecisionAt[];
/** precision@k for each of `cuts`, which are limited to the number of rules. */
export function precisionByVerdict(rules: readonly Rule[], cuts: readonly number[]): (PrecisionAt & { k: number })[];
export function precisionByVerdict(rules: readonly Rule[], cuts?: readonly number[]): PrecisionAt[] {
  return precisionAt(
    rules.map(({ status }) => (status === 'likely' ? null : status === 'valid')),
    cuts,
  );
}

function precisionByLabels(rules: readonly RuleMeasures[]): PrecisionAt[] {
  return precisionAt(rules.map(({ isRight }) => isRight));
}

/** precision@k for k of 1, 2, 5, … and for all rules. */
export function precisionAt(
  judged: readonly (boolean | null)[],
  cuts: readonly PrecisionAt['k'][] = [...CUTS.filter((k) => k <= judged.length), 'all'],
): PrecisionAt[] {
  return cuts.map((k) => {
    const first = k === 'all' ? judged : judged.slice(0, k);
    const right = first.filter((isRight) => isRight === true).length;
    const wrong = first.filter((isRight) => isRight === false).length;
    return { k, right, wrong, unjudged: first.length - right - wrong, precision: shareOf(right, right + wrong) };
  });
}
