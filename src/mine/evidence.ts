// The evidence of the list about a likely rule, beyond its support (SPEC 5).
//
// A second, cheap pass over the remaining rules: for a sample of the instances of each, it measures how near their
// pages are (table/nearness). Chance pairs have the first URL of one instance and the second URL of another that is
// near it in the list: pages of one template, but not one page.
//
//   instances  (u1, v1) (u2, v2) (u3, v3)    by v
//   pairs      u1 – v1, u2 – v2, u3 – v3
//   chance     u1 – v2, u2 – v3, u3 – v1
import { type CompiledRule, compileRule, imageOf, substitutionOf } from '../rule/apply.js';
import { createLookup } from '../rule/lookup.js';
import type { ParameterRule } from '../rule/rule.js';
import { drawRows } from '../table/draw-rows.js';
import { findRow } from '../table/find-row.js';
import { SiteWords } from '../table/site-word.js';
import { LEVELS, Nearness, SILENT } from '../table/nearness.js';
import type { Pair } from '../table/pair.js';
import { hasPage, type SiteUrls } from '../table/site-urls.js';
import { AMPERSAND, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { decodeText, encodeText, latin1, sameRange } from '../base/bytes.js';
import { emptyFields, isParameter, splitFields, withoutFields } from '../url/fields.js';
import { knownKindOf } from '../url/names.js';
import { rawUrl } from '../table/raw-url.js';
import { differencesOf, LEAST_CERTAIN, nameOfField, type DifferenceKind } from './difference.js';
import { echoesOf } from './echo.js';
import { listen, NOTHING_SAID, type Said } from './said.js';

/** By level: the number of pairs that are exactly that near. */
export type Levels = ArrayLike<number>;

export interface Evidence {
  /** Levels of instances, and of chance pairs. */
  readonly pairs: Levels;
  readonly chance: Levels;
  /** The same, corrected for the length that addresses add to compressed pages. */
  readonly near: Levels;
  readonly nearByChance: Levels;
  /** The same, corrected for echoes, if pages repeat their address many times. */
  readonly echo?: Echoed | undefined;
  /** The number of sampled URLs that the rule changes, and of their images in the list. */
  readonly changed: number;
  readonly listed: number;
  /** The number of these images that the log has only as redirects, although the URL is a page. */
  readonly pageless: number;
  /** What the site itself says of the listed images. */
  readonly said: Said;
  /** The number of changed URLs that are pages themselves, while the list lacks their images. */
  readonly alone: number;
  /** The number of listed images in which a parameter of the URL has another value. */
  readonly revalued: number;
  /**
   * The kinds of differences of some instances. Collected only until {@link LEAST_CERTAIN} is found, after which other
   * kinds do not matter.
   */
  readonly differences: ReadonlySet<DifferenceKind>;
}

export interface Echoed {
  readonly pairs: Levels;
  readonly chance: Levels;
  /** The least difference in length of the addresses, in bytes. */
  readonly bytes: number;
}

/** The most instances per rule, and the most URLs of the list, to sample. */
const INSTANCES = 192;
const LOOKED_AT = 16_000;
/** How many images to look up, for all rules together, and at least for each. Rules with more instances get more. */
const IMAGES = 16_000;
const LEAST_IMAGES = 16;
const MOST_IMAGES = 1024;
const FOR_FIRST = 8;
const SHIFTS = 3;
/** So few rules are all tried: an index of them would cost more than it saves. */
const FEW = 8;
/** The largest share of images that only answered without a size, not by a redirect. */
const MOST_UNSIZED = 0.1;
/** How many instances to examine for their differences. */
const LOOKED_INTO = 24;

const NONE: Levels = Array<number>(LEVELS).fill(0);

export const NO_EVIDENCE: Evidence = {
  pairs: NONE,
  chance: NONE,
  near: NONE,
  nearByChance: NONE,
  changed: 0,
  listed: 0,
  pageless: 0,
  said: NOTHING_SAID,
  alone: 0,
  revalued: 0,
  differences: new Set(),
};

function newLevels() {
  const column = () => new Uint32Array(LEVELS);
  return { pairs: column(), chance: column(), near: column(), nearByChance: column() };
}

/** A rule for sampling: a text that each of its URLs contains, and their image. */
interface Sampled {
  readonly text: Uint8Array;
  readonly image: (url: Uint8Array) => Uint8Array;
}

interface Sample extends Sampled {
  /** How many images to look up. */
  readonly images: number;
  changed: number;
  alone: number;
  revalued: number;
  readonly from: number[];
  readonly to: number[];
}

/**
 * Evidence for rules, which must be sorted by their number of instances, largest first. Without the similarity test,
 * sizes and sketches are not used.
 */
export function gatherEvidence(
  urls: SiteUrls,
  rules: readonly Pick<Pair, 'from' | 'to' | 'anchor'>[],
  similarity: boolean,
): Evidence[] {
  return gatherRules(urls, rules.map(substitutionOf), similarity);
}

/** The same for compiled rules. */
export function gatherRules(urls: SiteUrls, rules: readonly CompiledRule[], similarity: boolean): Evidence[] {
  return gather(
    urls,
    rules.map((rule) => ({
      text: rule.kind === 'substring' ? rule.from : SLASHES,
      image: (url) => imageOf(rule, url, 0),
    })),
    similarity,
  );
}

/** All URLs have one: the text of rules that any URL may match. */
const SLASHES = Uint8Array.of(SLASH);

/** Evidence for rules that remove a parameter. The parameters of a campaign are removed together. */
export function gatherRemovals(urls: SiteUrls, rules: readonly Omit<ParameterRule, 'rank'>[]): Evidence[] {
  return gather(
    urls,
    rules.map((rule) => {
      const compiled = compileRule({ ...rule, rank: 0 });
      const isCampaign = knownKindOf(rule.name) === 'campaign';
      const image = (url: Uint8Array) => imageOf(compiled, url, 0);
      return {
        text: encodeText(rule.name),
        image: isCampaign ? (url) => (image(url) === url ? url : withoutCampaign(url)) : image,
      };
    }),
    true,
  );
}

const fields = emptyFields();

function withoutCampaign(url: Uint8Array): Uint8Array {
  splitFields(url, fields);
  const nameOfField = (field: number) => decodeText(url, fields.start[field]!, fields.nameEnd[field]!);
  return withoutFields(
    url,
    fields,
    (field) => isParameter(fields, field) && knownKindOf(nameOfField(field)) === 'campaign',
  );
}

function gather(urls: SiteUrls, rules: readonly Sampled[], similarity: boolean): Evidence[] {
  if (rules.length === 0) return [];
  const samples = rules.map((rule, k): Sample => {
    const images = imagesFor(k, rules.length);
    return { ...rule, images, changed: 0, alone: 0, revalued: 0, from: [], to: [] };
  });
  drawInstances(urls, samples);
  const words = new SiteWords(urls);
  const nearness = new Nearness(urls, words);
  return samples.map(({ changed, alone, revalued, from: allFrom, to: allTo }) => {
    const levels = newLevels();
    const { said, from, to } = listen(words, allFrom, allTo);
    if (similarity) compare(nearness, from, to, levels);
    const echo = isMostlyEqual(levels.pairs) ? undefined : echoed(nearness, from, to);
    const pageless = similarity ? pagelessImages(urls, from, to) : 0;
    return {
      ...levels,
      echo,
      changed,
      listed: allFrom.length,
      pageless,
      said,
      alone,
      revalued,
      differences: differencesIn(urls, from, to),
    };
  });
}

/**
 * How many images the log has only as redirects, although the URL is a page. An image without a page may also have been
 * requested only by HEAD, or answered only with 304. That happens to URLs as often as to their images. So from the
 * images without a page the URLs without one are subtracted, up to a tenth of all.
 */
function pagelessImages(urls: SiteUrls, from: readonly number[], to: readonly number[]): number {
  const without = (pages: readonly number[], others: readonly number[]) =>
    pages.filter((row, at) => hasPage(urls, row) && !hasPage(urls, others[at]!)).length;
  const byChance = Math.min(without(to, from), Math.floor(MOST_UNSIZED * to.length));
  return Math.max(0, without(from, to) - byChance);
}

function drawInstances(urls: SiteUrls, samples: readonly Sample[]): void {
  const lookup = samples.length > FEW ? createLookup(samples.map(({ text }) => ({ site: '*', text }))) : undefined;
  const found = lookup?.found ?? Int32Array.from(samples, (_, k) => k);
  let open = samples.length;
  for (const row of drawRows(urls.count, LOOKED_AT)) {
    if (open === 0) return;
    const url = rawUrl(urls, row);
    const count = lookup?.find(url, 0, 0, 0) ?? samples.length;
    for (let j = 0; j < count; j++) {
      const sample = samples[found[j]!]!;
      if (isFull(sample)) continue;
      const image = sample.image(url);
      if (image === url) continue;
      sample.changed++;
      const other = findRow(urls, image);
      if (other >= 0) {
        sample.from.push(row);
        sample.to.push(other);
        if (hasOtherValue(url, image)) sample.revalued++;
      } else if (hasPage(urls, row)) sample.alone++;
      if (isFull(sample)) open--;
    }
  }
}

/** The kinds of differences of the first instances, which are a sample of all. */
function differencesIn(urls: SiteUrls, from: readonly number[], to: readonly number[]): ReadonlySet<DifferenceKind> {
  const kinds = new Set<DifferenceKind>();
  for (let k = 0; k < Math.min(from.length, LOOKED_INTO) && !kinds.has(LEAST_CERTAIN); k++) {
    for (const kind of differencesOf(textOf(urls, from[k]!), textOf(urls, to[k]!))) kinds.add(kind);
  }
  return kinds;
}

function textOf(urls: SiteUrls, row: number): string {
  return latin1(rawUrl(urls, row));
}

/** True if both have the same path, and a common parameter has another value in the image. */
function hasOtherValue(url: Uint8Array, image: Uint8Array): boolean {
  const end = pathEnd(url);
  if (end === url.length || end !== pathEnd(image) || !sameRange(url, 0, image, 0, end)) return false;
  const fields = fieldsOf(url);
  const names = new Set(fields.map(nameOfField));
  return fieldsOf(image).some((field) => !fields.includes(field) && names.has(nameOfField(field)));
}

/** Where the parameters begin, or the end. */
function pathEnd(url: Uint8Array): number {
  let at = 0;
  while (at < url.length && url[at] !== QUESTION && url[at] !== AMPERSAND && url[at] !== SEMICOLON) at++;
  return at;
}

function fieldsOf(url: Uint8Array): string[] {
  return latin1(url).split(/[?&;]/).slice(1);
}

function imagesFor(k: number, rules: number): number {
  const share = Math.max(IMAGES / rules, IMAGES / (FOR_FIRST * (k + 1)));
  return Math.min(MOST_IMAGES, Math.max(LEAST_IMAGES, Math.floor(share)));
}

function isFull({ images, changed, from }: Sample): boolean {
  return changed >= images || from.length >= INSTANCES;
}

/** True if most pairs are equal, so that echoes need not explain anything. */
function isMostlyEqual(pairs: Uint32Array): boolean {
  return 2 * pairs[0]! >= pairs.reduce((sum, count) => sum + count, 0);
}

function echoed(nearness: Nearness, from: readonly number[], to: readonly number[]): Echoed | undefined {
  const echoes = echoesOf(nearness, from, to);
  if (echoes === undefined) return undefined;
  const { pairs, chance } = newLevels();
  eachComparison(from, to, (u, v, isPair) => add(isPair ? pairs : chance, nearness.between(u, v, echoes)));
  return { pairs, chance, bytes: echoes.bytes };
}

function compare(
  nearness: Nearness,
  from: readonly number[],
  to: readonly number[],
  { pairs, chance, near, nearByChance }: ReturnType<typeof newLevels>,
): void {
  eachComparison(from, to, (u, v, isPair) => {
    add(isPair ? pairs : chance, nearness.between(u, v));
    add(isPair ? near : nearByChance, nearness.between(u, v, 'packed'));
  });
}

function eachComparison(
  from: readonly number[],
  to: readonly number[],
  visit: (u: number, v: number, isPair: boolean) => void,
): void {
  const order = from.map((_, k) => k).sort((a, b) => to[a]! - to[b]!);
  const count = order.length;
  for (let k = 0; k < count; k++) {
    const [u, image] = [from[order[k]!]!, to[order[k]!]!];
    visit(u, image, true);
    for (let shift = 1; shift <= SHIFTS && shift < count; shift++) {
      const v = to[order[(k + shift) % count]!]!;
      if (v !== u && v !== image) visit(u, v, false);
    }
  }
}

function add(levels: Uint32Array, level: number): void {
  if (level !== SILENT) levels[level]!++;
}
