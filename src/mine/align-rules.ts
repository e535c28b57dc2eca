// Learns rules from clusters of duplicates: DUSTER (Rodrigues, Cristo, de Moura, da Silva: Removing DUST Using Multiple
// Alignment of Sequences, IEEE TKDE 27(8), 2015), by the pseudo-code of Vaishakhi and Regi, "Duplicate Remover", 3.2 to
// 3.4.
//
//   ask          what one half of the clusters answers to the questions of validate/ask: done by the caller (cli/run/mine/
//                asked-clusters)
//   train        aligns K URLs of each cluster of one half; patterns that enough clusters suggest are candidates, in
//                the direction of the side with more hits
//   validate     counts for each candidate, on the other half: its merges, and those that join two clusters
//   rank         chooses, among candidates of all kinds, the one that merges most URLs, applies it to the forms, and
//                repeats; candidates that merge nothing any more are dropped. So a pattern replaces several rules that
//                say the same together
//
// A rule of any kind writes URLs if nearly all of its images are listed URLs that answered; otherwise it is a key.
import { byText, decodeText, encodeText } from '../base/bytes.js';
import { hashText } from '../base/hash.js';
import { greatest } from '../base/numbers.js';
import { compileRule, imageOf, type CompiledRule } from '../rule/apply.js';
import { sayingKey, type RuleSaying } from '../rule/identity.js';
import { faultOfPattern } from '../rule/pattern.js';
import type { PatternRule, Rule, Verdict } from '../rule/rule.js';
import { isKey } from '../rule/standing.js';
import { type General, generalPatterns } from './align-general.js';
import { isRun, tokensOf } from '../url/token.js';
import type { AlignOptions } from './align-options.js';
import { isAlignable, keyOf, statementsOf, type Statement, type Suggestion } from './align-candidates.js';
import { wilsonLower } from './rank.js';

/** A URL that answered with status 200, and the label of its cluster. */
export interface ClusterUrl {
  readonly url: string;
  readonly label: string;
  readonly site: string;
  /** Lines of the log, if there is one. */
  readonly hits?: number;
}

/** If more of the images are not in the list, the rule is a key. */
const MOST_UNKNOWN = 0.05;
/** A rule with wrong merges needs this many times --fpr-max as the upper bound of their share. */
const SURE_FACTOR = 5;
/**
 * The most right merges of one cluster that count. One script answered 2,665 URLs alike: against so many right merges,
 * the false merges of a rule elsewhere were a negligible share.
 */
const MOST_OF_CLUSTER = 20;
/** Pairs of each kind in a verdict. */
const MOST_PAIRS = 3;
/** The most candidates of other kinds, by rank. */
const MOST_OTHERS = 400;
const MOST_CANDIDATES = 4000;
/** Least gain in hits, as a share of all hits, for turning a statement (as in canonize/name/choose). */
const LEAST_GAIN = 0.005;

export interface Learned {
  /** Valid rules in the order of application. */
  readonly rules: readonly Rule[];
  readonly counts: {
    readonly candidates: number;
    readonly valid: number;
    readonly keys: number;
    /** URLs that were too long to be aligned. */
    readonly unaligned: number;
  };
}

/**
 * The rules that clusters teach. `judged` are the rules that one half of the clusters answered for when it was asked as
 * a site is (validate/ask), in the order of application; `others` are further candidates of any kind.
 *
 *   1  the judged rules that the other half bears out; those whose images are not among the listed URLs are keys
 *   2  patterns and others, on the forms that these leave, so that none is a special case of a key
 */
export function learnRules(
  list: readonly ClusterUrl[],
  { judged = [], others: undecided }: { readonly judged?: readonly Rule[]; readonly others: readonly Rule[] },
  options: AlignOptions,
): Learned {
  const known = new Set(list.map(({ url }) => url));
  // Substrings that the questions left open are special cases of keys: on gitweb and cgit they merged 51 more URLs, and 15
  // of these falsely.
  const others = undecided.filter(({ kind }) => kind !== 'substring' || judged.length === 0);
  const first = dividedByImages(borneOut(judged, list, known, options), list, known);
  const left = underRules(list, [...first.written, ...first.keys]);
  const patterns = candidatesOf(left, options);
  const general = generalPatterns(patterns);
  const candidates = [...general.map(({ rule }) => rule), ...patterns, ...others.slice(0, MOST_OTHERS)];
  const chosen = chosenOf(candidates, general, left, known, options);
  const [writing, keys] = [false, true].map((areKeys) => chosen.filter((rule) => isKey(rule) === areKeys));
  const rules = [...first.written, ...writing!, ...first.keys, ...keys!];
  return {
    rules: rules.map((rule, at) => ({ ...rule, rank: at + 1 }) as Rule),
    counts: {
      candidates: judged.length + candidates.length,
      valid: rules.length,
      keys: first.keys.length + keys!.length,
      unaligned: left.filter(({ url }) => !isAlignable(url)).length,
    },
  };
}

/**
 * Judged rules that the other half of the clusters bears out as well, each on the forms that those before it leave.
 * When all clusters were asked and none was left to check the answers, rules of git merged 150 URLs falsely instead
 * of 4.
 */
function borneOut(
  judged: readonly Rule[],
  list: readonly ClusterUrl[],
  known: ReadonlySet<string>,
  options: AlignOptions,
): readonly Rule[] {
  let validation = list.filter(({ label }) => !isTraining(label, options.seed));
  return judged.flatMap((rule) => {
    const [borne] = validated(rule, validation, known, options);
    if (borne === undefined) return [];
    validation = underRules(validation, [rule]);
    const verdict = ofBothHalves(rule.verdict, borne.verdict);
    return [{ ...rule, ...(verdict !== undefined && { verdict }) }];
  });
}

/** The right and wrong merges of both halves of the clusters, and what either has as examples. */
function ofBothHalves(asked: Verdict | undefined, counted: Verdict | undefined): Verdict | undefined {
  if (asked === undefined || counted === undefined) return counted ?? asked;
  return {
    ...asked,
    positive: asked.positive + counted.positive,
    negative: asked.negative + counted.negative,
    positives: [...asked.positives, ...counted.positives].slice(0, MOST_PAIRS),
    negatives: [...asked.negatives, ...counted.negatives].slice(0, MOST_PAIRS),
  };
}

/**
 * Those of the candidates that the other half of the clusters bears out, without those that say nothing new, and without
 * those about one number if it refutes what they say of all numbers.
 */
function chosenOf(
  candidates: readonly Candidate[],
  general: readonly General[],
  list: readonly ClusterUrl[],
  known: ReadonlySet<string>,
  options: AlignOptions,
): Candidate[] {
  const validation = list.filter(({ label }) => !isTraining(label, options.seed));
  const borne = new Map(candidates.map((rule) => [rule, validated(rule, validation, known, options)]));
  for (const { rule, cases, isOfNumbers } of general) {
    if (isOfNumbers && borne.get(rule)!.length === 0) for (const one of cases) borne.delete(one);
  }
  return ranked([...borne.values()].flat(), list, options);
}

/** The distinct forms of the list under rules that are applied once each, in their order. */
function underRules(list: readonly ClusterUrl[], rules: readonly Candidate[]): ClusterUrl[] {
  const steps = rules.map(compiled);
  const forms = new Map<string, ClusterUrl>();
  for (const one of list) {
    const url = decodeText(steps.reduce((image, rule) => imageBy(rule, image, one.site), encodeText(one.url)));
    const key = `${one.label} ${url}`;
    const hits = (forms.get(key)?.hits ?? 0) + (one.hits ?? 0);
    forms.set(key, { ...one, url, hits });
  }
  return [...forms.values()];
}

/** Rules that write, in their order: nearly all forms that each makes after the ones before it are listed URLs. */
function dividedByImages(
  rules: readonly Rule[],
  list: readonly ClusterUrl[],
  known: ReadonlySet<string>,
): { readonly written: readonly Rule[]; readonly keys: readonly Rule[] } {
  const forms = formsOf(list);
  const written: Rule[] = [];
  const keys: Rule[] = [];
  for (const rule of rules) {
    const images = imagesOf(rule, forms);
    const unknown = [...images.values()].filter((image) => !known.has(image)).length;
    if (unknown > MOST_UNKNOWN * images.size) {
      keys.push({ ...rule, use: 'key' });
      continue;
    }
    written.push(rule);
    for (const [at, text] of images) forms[at] = { ...forms[at]!, text, bytes: encodeText(text) };
  }
  return { written, keys };
}

/** True for the half of the clusters that rules are learned from. */
export function isTraining(label: string, seed: number): boolean {
  return hashText(label, seed + 1) % 2 === 0;
}

/** The patterns that enough clusters of the training half suggest, those of most clusters first. */
function candidatesOf(list: readonly ClusterUrl[], { K, minFreq, seed }: AlignOptions): Omit<PatternRule, 'rank'>[] {
  const clusters = new Map<string, ClusterUrl[]>();
  for (const one of list) {
    if (!isTraining(one.label, seed)) continue;
    const cluster = clusters.get(one.label);
    if (cluster === undefined) clusters.set(one.label, [one]);
    else cluster.push(one);
  }
  const counts = frequencies(clusters.values());
  const found = new Map<string, Bucket>();
  for (const [, cluster] of [...clusters].sort(([a], [b]) => byText(a, b))) {
    if (cluster.length < 2) continue;
    const drawn = cluster
      .filter(({ url }) => isAlignable(url))
      .map((one) => ({ ...one, order: hashText(one.url, seed) }))
      .sort((a, b) => a.order - b.order || byText(a.url, b.url))
      .slice(0, K);
    const siteOf = new Map(drawn.map(({ url, site }) => [hostOf(url), site]));
    const members = drawn.map(({ url, hits = 0 }) => ({ url, hits }));
    for (const suggestion of statementsOf(members, (text) => (counts.get(text) ?? 0) >= minFreq)) {
      const { statement } = suggestion;
      const site = siteOf.get(statement.host) ?? '';
      const key = `${site} ${keyOf(statement)}`;
      const bucket = found.get(key) ?? newBucket(statement, site);
      count(bucket, suggestion);
      found.set(key, bucket);
    }
  }
  const hosts = new Set(list.map(({ url }) => hostOf(url))).size;
  const allHits = sum(list.map(({ hits = 0 }) => hits));
  return byHits(found, minFreq, LEAST_GAIN * allHits)
    .filter(([, { clusters: many, statement }]) => many >= minFreq && faultOfPattern(statement) === undefined)
    .sort(([a, one], [b, other]) => other.clusters - one.clusters || byText(a, b))
    .slice(0, MOST_CANDIDATES)
    .map(([, { statement, site, hosts: of, clusters: many }]) => ({
      kind: 'pattern',
      site,
      pattern: statement.pattern,
      template: statement.template,
      use: 'key',
      status: 'likely',
      support: { clusters: many, urls: 0 },
      against: 0,
      confidence: 0,
      examples: [],
      // The hosts that DUSTER keeps with a rule. A pattern that begins with a host needs no such condition.
      ...(of.size < hosts &&
        !statement.pattern.startsWith('//') && {
          only: [...of].sort(byText).map((is) => ({ part: 'host' as const, is })),
        }),
    }));
}

/** A statement, with what clusters say about it. */
interface Bucket {
  readonly statement: Statement;
  readonly site: string;
  readonly hosts: Set<string>;
  clusters: number;
  /** Hits of the URLs that it changes, and of their images. */
  given: number;
  kept: number;
  /** The reverse statements, as clusters suggest them. */
  readonly turned: Map<string, { readonly statement: Statement; clusters: number }>;
}

function newBucket(statement: Statement, site: string): Bucket {
  return { statement, site, hosts: new Set(), clusters: 0, given: 0, kept: 0, turned: new Map() };
}

function count(bucket: Bucket, { statement, turned, given, kept }: Suggestion): void {
  bucket.hosts.add(statement.host);
  bucket.clusters++;
  bucket.given += given;
  bucket.kept += kept;
  if (turned === undefined) return;
  const way = bucket.turned.get(keyOf(turned)) ?? { statement: turned, clusters: 0 };
  way.clusters++;
  bucket.turned.set(keyOf(turned), way);
}

/**
 * Turns each statement in the direction of its hits. This requires that enough clusters suggest the reverse in the same
 * words, because lost text cannot be restored.
 */
function byHits(found: ReadonlyMap<string, Bucket>, minFreq: number, leastGain: number): [string, Bucket][] {
  const chosen = new Map<string, Bucket>();
  for (const [key, bucket] of found) {
    const ways = [...bucket.turned.values()].filter(
      ({ statement, clusters }) => clusters >= minFreq && faultOfPattern(statement) === undefined,
    );
    const way = ways.sort((a, b) => b.clusters - a.clusters || byText(keyOf(a.statement), keyOf(b.statement)))[0];
    if (bucket.given - bucket.kept <= leastGain || way === undefined) chosen.set(key, bucket);
    else
      chosen.set(`${bucket.site} ${keyOf(way.statement)}`, {
        ...bucket,
        statement: way.statement,
        clusters: way.clusters,
      });
  }
  return [...chosen];
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
}

/** By token of a path or field of a query: the number of clusters that have it. */
function frequencies(clusters: Iterable<readonly ClusterUrl[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const cluster of clusters) {
    const own = new Set<string>();
    for (const { url } of cluster) {
      const [path = '', query = ''] = url.slice(hostOf(url).length).split(/\?(.*)/s);
      for (const token of tokensOf(path).filter(isRun)) own.add(token);
      for (const field of query.split(/[&;]/)) own.add(field);
    }
    for (const text of own) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

type Candidate = RuleSaying | Rule;

interface Form {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly label: string;
  readonly site: string;
}

function formsOf(list: readonly ClusterUrl[]): Form[] {
  return list.map(({ url, label, site }) => ({ bytes: encodeText(url), text: url, label, site }));
}

interface Compiled {
  readonly site: string;
  readonly rule: CompiledRule;
}

function compiled(rule: Candidate): Compiled {
  return { site: rule.site, rule: compileRule(rule as Rule) };
}

/** By index: the images of the forms that the rule changes, after the rules `before` it. */
function imagesOf(rule: Candidate, forms: readonly Form[], before: readonly Compiled[] = []): Map<number, string> {
  const own = compiled(rule);
  const images = new Map<number, string>();
  for (const [at, { bytes, site }] of forms.entries()) {
    let image = imageBy(own, bytes, site);
    if (image === bytes) continue;
    for (const other of before) image = imageBy(other, image, site);
    images.set(at, decodeText(image));
  }
  return images;
}

function imageBy({ site, rule }: Compiled, url: Uint8Array, ofSite: string): Uint8Array {
  return site === '*' || site === ofSite ? imageOf(rule, url, 0) : url;
}

/** The labels of each form, with how many URLs have it. */
type Shares = Map<string, Map<string, number>>;

function add(shares: Shares, form: string, label: string, by: number): void {
  const labels = shares.get(form) ?? new Map<string, number>();
  labels.set(label, (labels.get(label) ?? 0) + by);
  if (labels.get(label) === 0) labels.delete(label);
  shares.set(form, labels);
}

/**
 * "Duplicate Remover" 3.4: of the URLs that the rule merges, how many are of another cluster? A form of n URLs, m of which
 * are of its commonest cluster, has m - 1 right merges and n - m wrong ones: a form of a thousand URLs would count as a
 * million pairs.
 */
function validated(
  rule: Candidate,
  validation: readonly ClusterUrl[],
  known: ReadonlySet<string>,
  { maxFpr, minSupport, onRule }: AlignOptions,
): Candidate[] {
  onRule?.();
  const forms = formsOf(validation);
  const images = imagesOf(rule, forms);
  const members = new Map<string, { readonly text: string; readonly label: string }[]>();
  for (const image of images.values()) members.set(image, []);
  for (const [at, { text, label }] of forms.entries()) members.get(images.get(at) ?? text)?.push({ text, label });
  const rightOf = new Map<string, number>();
  let [wrong, clusters] = [0, 0];
  const positives: [string, string][] = [];
  const negatives: [string, string, string][] = [];
  for (const [image, urls] of members) {
    if (urls.length < 2) continue;
    const label = commonest(urls.map((one) => one.label));
    const same = urls.filter((one) => one.label === label);
    rightOf.set(label, (rightOf.get(label) ?? 0) + same.length - 1);
    // A form with two labels was wrong before this rule.
    const texts = new Set(urls.map(({ text }) => text)).size;
    const isWrong = texts > same.length;
    if (isWrong) wrong += texts - same.length;
    if (same.length > 1) clusters++;
    const changed = same.find(({ text }) => text !== image);
    if (same.length > 1 && changed !== undefined && positives.length < MOST_PAIRS)
      positives.push([changed.text, image]);
    const other = isWrong ? urls.find((one) => one.label !== label) : undefined;
    if (other !== undefined && negatives.length < MOST_PAIRS) negatives.push([other.text, image, 'another cluster']);
  }
  const right = sum([...rightOf.values()].map((count) => Math.min(count, MOST_OF_CLUSTER)));
  const merges = right + wrong;
  if (merges < minSupport || wrong > maxFpr * merges) return [];
  if (wrong > 0 && 1 - wilsonLower(right, wrong) > SURE_FACTOR * maxFpr) return [];
  const unknown = [...images.values()].filter((image) => !known.has(image)).length;
  const verdict: Verdict = { source: 'clusters', positive: right, negative: wrong, unjudged: {}, positives, negatives };
  const examples = rule.examples.length > 0 ? rule.examples : positives;
  const isKnown = unknown <= MOST_UNKNOWN * images.size;
  const judged = { ...rule, status: 'valid' as const, verdict, examples };
  if (judged.kind !== 'pattern') return [isKnown ? judged : { ...judged, use: 'key' }];
  const use = isKnown ? 'write' : 'key';
  const support = { clusters, urls: images.size };
  return [{ ...judged, use, support, against: wrong, confidence: wilsonLower(right, wrong) }];
}

function commonest(labels: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/**
 * Orders candidates by the number of URLs that they merge, on the forms that earlier ones leave. Keys come after all
 * rules that write URLs, so that no key makes such a rule superfluous.
 */
function ranked(candidates: readonly Candidate[], list: readonly ClusterUrl[], options: AlignOptions): Candidate[] {
  const forms = formsOf(list);
  const shares: Shares = new Map();
  for (const { text, label } of forms) add(shares, text, label, 1);
  return [false, true].flatMap((keys) =>
    chosenInOrder(
      candidates.filter((rule) => isKey(rule) === keys),
      forms,
      shares,
      options,
    ),
  );
}

/** Chooses the best candidate, applies it to the forms, and repeats. */
function chosenInOrder(
  candidates: readonly Candidate[],
  forms: Form[],
  shares: Shares,
  options: AlignOptions,
): Candidate[] {
  const chosen: Candidate[] = [];
  const before: Compiled[] = [];
  const queue = candidates.map((rule) => ({ rule, gain: gainOf(rule, forms, shares, options), key: sayingKey(rule) }));
  const order = (a: (typeof queue)[number], b: (typeof queue)[number]) => b.gain - a.gain || byText(a.key, b.key);
  queue.sort(order);
  for (let best = queue.shift(); best !== undefined && best.gain > 0; best = queue.shift()) {
    const gain = gainOf(best.rule, forms, shares, options, before);
    if (gain < (queue[0]?.gain ?? 0)) {
      const again = { ...best, gain };
      const place = queue.findIndex((other) => order(again, other) < 0);
      queue.splice(place < 0 ? queue.length : place, 0, again);
      continue;
    }
    if (gain <= 0) continue;
    chosen.push(best.rule);
    for (const [at, image] of imagesOf(best.rule, forms, before)) {
      const { text, label } = forms[at]!;
      add(shares, text, label, -1);
      add(shares, image, label, 1);
      forms[at] = { ...forms[at]!, text: image, bytes: encodeText(image) };
    }
    // Keys do not rewrite forms, so later rules do not see their images.
    if (!isKey(best.rule)) before.push(compiled(best.rule));
  }
  return chosen;
}

/**
 * How many distinct pairs (form, cluster) the rule saves, applied after the rules chosen before it; 0 if it mixes too
 * many clusters.
 */
function gainOf(
  rule: Candidate,
  forms: readonly Form[],
  shares: Shares,
  { maxFpr, onRule }: AlignOptions,
  before: readonly Compiled[] = [],
): number {
  onRule?.();
  const moved: Shares = new Map();
  const images = imagesOf(rule, forms, before);
  for (const [at, image] of images) {
    add(moved, forms[at]!.text, forms[at]!.label, -1);
    add(moved, image, forms[at]!.label, 1);
  }
  let [gain, wrong] = [0, 0];
  for (const [form, labels] of moved) {
    const there = shares.get(form);
    const after = new Map(there);
    for (const [label, by] of labels) after.set(label, (after.get(label) ?? 0) + by);
    const sizes = [...after.values()].filter((size) => size > 0);
    gain += (there?.size ?? 0) - sizes.length;
    const mixed = (counts: readonly number[]) => sum(counts) - greatest(counts, 0);
    wrong += mixed(sizes) - mixed([...(there?.values() ?? [])]);
  }
  return wrong > maxFpr * images.size ? 0 : gain;
}
