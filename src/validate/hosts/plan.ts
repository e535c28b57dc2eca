// Which pairs of URLs are to be asked for the rules of classes of hosts? Drawn while the URLs of a site are in memory,
// of each site a few of each rule. A site answers for all of its names.
//
//     rule          site        hosts                     pairs
//     remove sid    a.example   a.example www.a.example   /x?sid=1 → /x   /x?sid=2 → /x   /y?sid=3 → /y
import { decodeText, encodeText } from '../../base/bytes.js';
import { groupBy } from '../../base/group-by.js';
import { compileRule, imageOf, type CompiledRule } from '../../rule/apply.js';
import { withoutConditions } from '../../rule/condition.js';
import { sayingKey, type RuleSaying } from '../../rule/identity.js';
import { createLookup, lookupKey, type Lookup } from '../../rule/lookup.js';
import { hostOf, hostsNamed } from '../../rule/of-hosts.js';
import type { Rule } from '../../rule/rule.js';
import { drawRows } from '../../table/draw-rows.js';
import type { SiteUrls } from '../../table/site-urls.js';
import { rawUrl } from '../../table/raw-url.js';
import { imageText } from '../sample.js';

/** Kept of a site: enough for a class that is asked thoroughly, if it has few sites that speak. */
const PAIRS_OF_SITE = 12;
/** Some 200 MB. Sites beyond are not asked, so their hosts stay likely. */
const MOST_PAIRS = 1_000_000;
/** Of a larger site a sample is looked at. */
const MOST_ROWS = 4096;

/** As text of `base/bytes`. */
export interface HostPair {
  readonly url: string;
  readonly image: string;
  /** Another URL of the list with this image: archives often lack the image. */
  readonly twin: string | undefined;
  /** A URL of the list that the rule leaves alone, and that all rules of classes together make one with this. */
  readonly kin?: string | undefined;
}

/** What a site has to say about a rule. */
export interface SitePairs {
  readonly site: string;
  /** The names of this site that the rule is about. */
  readonly hosts: readonly string[];
  readonly pairs: readonly HostPair[];
}

/** What one site has to say: pairs by the number of a rule, and sketches by URL. */
export interface DrawnSite {
  readonly site: string;
  readonly pairs: readonly (readonly [number, SitePairs])[];
  readonly sketches: readonly (readonly [string, string])[];
}

export interface PlannedClass {
  readonly rule: Rule;
  readonly sites: readonly SitePairs[];
}

export interface HostPlanOptions {
  /** How a stranger would write a URL (permission/stranger). */
  readonly asStranger?: ((url: string) => string) | undefined;
  /** What the list says about the page of a URL, if it is to be kept. */
  readonly sketchOf?: ((url: string, urls: SiteUrls) => string | undefined) | undefined;
}

interface Known {
  readonly key: string;
  readonly compiled: CompiledRule;
  readonly named: ReadonlySet<string>;
  readonly isOnly: boolean;
  readonly sites: SitePairs[];
}

export class HostPlanner {
  /** By URL, if they are kept. */
  readonly sketches = new Map<string, string>();
  readonly #options: HostPlanOptions;
  readonly #known: readonly Known[];
  readonly #lookup: Lookup;
  #pairs = 0;

  constructor(rules: readonly RuleSaying[], options: HostPlanOptions = {}) {
    this.#options = options;
    this.#known = rules.map(knownOf);
    this.#lookup = createLookup(this.#known.map(({ compiled }) => ({ site: '*', text: lookupKey(compiled) })));
  }

  /** Sites come in byte order of their names. */
  draw(urls: SiteUrls): void {
    if (this.#pairs < MOST_PAIRS) this.take(this.drawnOf(urls));
  }

  /** What {@link draw} would keep of the site. */
  drawnOf(urls: SiteUrls): DrawnSite {
    if (this.#known.length === 0) return { site: urls.site, pairs: [], sketches: [] };
    const hosts = new Set<string>();
    const changed = this.#known.map(() => new Map<string, string[]>());
    const forms = new Forms();
    for (const row of drawRows(urls.count, MOST_ROWS)) this.#look(rawUrl(urls, row), hosts, changed, forms);
    const all = this.#known.flatMap((known, at) => {
      const names = [...hosts].filter((host) => known.named.has(host) === known.isOnly);
      const drawn = names.length === 0 ? [] : pairsOf(changed[at]!);
      const pairs = drawn.map((pair) => ({ ...pair, kin: forms.kinOf(pair.url, known.compiled) }));
      return pairs.length === 0 ? [] : [[at, { site: urls.site, hosts: names, pairs }] as const];
    });
    return { site: urls.site, pairs: all, sketches: this.#sketchesOf(all, urls) };
  }

  /** Keeps what a site has to say. Sites come in byte order of their names. */
  take({ pairs, sketches }: DrawnSite): void {
    if (this.#pairs >= MOST_PAIRS) return;
    for (const [at, ofSite] of pairs) {
      this.#known[at]!.sites.push(ofSite);
      this.#pairs += ofSite.pairs.length;
    }
    for (const [url, sketch] of sketches) this.sketches.set(url, sketch);
  }

  #look(url: Uint8Array, hosts: Set<string>, changed: readonly Map<string, string[]>[], forms: Forms): void {
    const host = hostOf(url);
    if (host === '') return;
    hosts.add(host);
    const found = this.#lookup.find(url, 0, 0, 0);
    const { asStranger = (text: string) => text } = this.#options;
    let asked: string | undefined;
    let form = url;
    for (let k = 0; k < found; k++) {
      const at = this.#lookup.found[k]!;
      const { compiled, named, isOnly } = this.#known[at]!;
      if (named.has(host) !== isOnly || imageOf(compiled, url, 0) === url) continue;
      form = imageOf(compiled, form, 0);
      asked ??= asStranger(decodeText(url));
      const image = imageText(compiled, asked, false);
      if (image !== asked) push(changed[at]!, image, asked);
    }
    forms.add(asked ?? asStranger(decodeText(url)), decodeText(form));
  }

  #sketchesOf(all: DrawnSite['pairs'], urls: SiteUrls): DrawnSite['sketches'] {
    const { sketchOf } = this.#options;
    if (sketchOf === undefined) return [];
    const asked = all.flatMap(([, { pairs }]) => pairs.flatMap(({ url, image, twin, kin }) => [url, image, twin, kin]));
    return [...new Set(asked)].flatMap((url) => {
      const sketch = url === undefined ? undefined : sketchOf(url, urls);
      return sketch === undefined ? [] : [[url!, sketch] as const];
    });
  }

  /**
   * These rules, as they are now, with what was drawn for them. Earlier nights may have decided on some of the hosts for
   * which it was drawn.
   */
  plansOf(rules: readonly Rule[]): PlannedClass[] {
    const drawn = groupBy(this.#known, ({ key }) => key);
    return rules.map((rule) => {
      const { key, named, isOnly } = knownOf(rule);
      const isOf = (host: string) => named.has(host) === isOnly;
      const sites = (drawn.get(key) ?? []).flatMap((known) => known.sites.flatMap((one) => partOf(one, isOf)));
      return { rule, sites: [...new Map(sites.map((one) => [one.site, one])).values()] };
    });
  }
}

/** URLs of a site by what all rules of classes make of them. */
class Forms {
  readonly #formOf = new Map<string, string>();
  readonly #urls = new Map<string, string[]>();

  add(url: string, form: string): void {
    this.#formOf.set(url, form);
    push(this.#urls, form, url);
  }

  /** Another URL of this form that the rule leaves alone. */
  kinOf(url: string, rule: CompiledRule): string | undefined {
    const all = this.#urls.get(this.#formOf.get(url) ?? '') ?? [];
    return all.find((other) => other !== url && imageText(rule, other, false) === other);
  }
}

/** What a site has to say of some of its hosts. */
function partOf({ site, hosts, pairs }: SitePairs, isOf: (host: string) => boolean): SitePairs[] {
  const some = hosts.filter(isOf);
  if (some.length === hosts.length) return [{ site, hosts, pairs }];
  const kept = pairs.filter(({ url }) => isOf(hostOf(encodeText(url))));
  return some.length === 0 || kept.length === 0 ? [] : [{ site, hosts: some, pairs: kept }];
}

function knownOf(rule: RuleSaying): Known {
  const bare = withoutConditions({ ...rule, rank: 0 } as Rule);
  const named = new Set(hostsNamed(rule));
  return { key: sayingKey(bare), compiled: compileRule(bare), named, isOnly: rule.only !== undefined, sites: [] };
}

function push(groups: Map<string, string[]>, image: string, url: string): void {
  const group = groups.get(image);
  if (group === undefined) groups.set(image, [url]);
  else if (group.length < PAIRS_OF_SITE && !group.includes(url)) group.push(url);
}

/**
 * Two URLs of the page with the most, then one of each other page, and so on: where a parameter names the page, two
 * values show it, and where it matters on some pages only, several pages do.
 */
function pairsOf(groups: ReadonlyMap<string, readonly string[]>): HostPair[] {
  const sorted = [...groups].sort(([, a], [, b]) => b.length - a.length);
  const pairs: HostPair[] = [];
  const take = (at: number, group: number) => {
    const [image, urls] = sorted[group]!;
    const url = urls[at];
    if (url !== undefined && pairs.length < PAIRS_OF_SITE)
      pairs.push({ url, image, twin: urls.find((other) => other !== url) });
  };
  if (sorted.length === 0) return pairs;
  take(0, 0);
  take(1, 0);
  for (let at = 0; at < PAIRS_OF_SITE; at++)
    for (let group = 0; group < sorted.length; group++) if (group > 0 || at > 1) take(at, group);
  return pairs;
}
