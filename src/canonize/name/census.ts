// What do rules make of a list of URLs: how many hits do they redirect, and how many forms remain? What would change
// with one rule less, or with another in its place?
//
//     urls    u1  u2  u3  u4      hits 9  2  1  1
//     forms   u1  u1  u1  u5      redirected 2 + 1 + 1, forms 2
//     used    —   a   ab  b       without b only u3 and u4 are canonized again
//
// Without a rule, only the URLs that it changed on their way are canonized again. So pricing all rules takes as many
// canonizations as rules were applied, not rules times URLs.
import { decodeText, encodeText } from '../../base/bytes.js';
import type { Rule } from '../../rule/rule.js';
import type { Canonizer } from '../rounds.js';

export interface HitList {
  /** As text with one character a byte (`decodeText` of `base/bytes`). */
  readonly urls: readonly string[];
  /** Lines of each URL. */
  readonly lines: readonly number[];
  /** The same, but 0 for a URL that the log has only as a redirect: it shows no page, whatever the rules do. */
  readonly hits: readonly number[];
  readonly allHits: number;
  /** The number of all URLs that have hits; the list may contain only those that rules change, and their forms. */
  readonly allUrls: number;
  /** Where each URL is in the list. */
  readonly places: ReadonlyMap<string, number>;
}

export function hitList(
  urls: readonly string[],
  lines: readonly number[],
  moved: readonly string[],
  all?: Pick<HitList, 'allHits' | 'allUrls'>,
): HitList {
  const isMoved = new Set(moved);
  const hits = urls.map((url, at) => (isMoved.has(url) ? 0 : lines[at]!));
  const { allHits, allUrls } = all ?? { allHits: hits.reduce((sum, one) => sum + one, 0), allUrls: urls.length };
  return { urls, lines, hits, allHits, allUrls, places: new Map(urls.map((url, at) => [url, at])) };
}

export type CanonizerOf = (rules: readonly Rule[]) => Pick<Canonizer, 'trace' | 'canonical'>;

export interface Totals {
  /** Hits at URLs that are not their own form. */
  readonly redirected: number;
  readonly forms: number;
}

/** A URL, by its place in the list, with its forms without and with a rule. */
export interface Changed {
  readonly at: number;
  readonly form: string;
  readonly image: string;
}

export class Census {
  readonly list: HitList;
  /** In the order of application; ranks are positions. */
  readonly rules: readonly Rule[];
  readonly forms: readonly string[];
  readonly totals: Totals;
  /** URLs whose forms repeat in a cycle or never settle. */
  readonly unsettled: number;
  readonly #canonizerOf: CanonizerOf;
  readonly #usedBy: ReadonlyMap<Rule, readonly number[]>;
  readonly #members: ReadonlyMap<string, number>;

  constructor(list: HitList, rules: readonly Rule[], canonizerOf: CanonizerOf) {
    this.list = list;
    this.rules = rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
    this.#canonizerOf = canonizerOf;
    const usedBy = new Map<Rule, number[]>(this.rules.map((rule) => [rule, []]));
    let unsettled = 0;
    const canonizer = canonizerOf(this.rules);
    this.forms = list.urls.map((url, at) => {
      const used = new Set<Rule>();
      const ending = canonizer.trace(encodeText(url), (_round, rule) => rule && used.add(rule));
      if (ending === 'cycle' || ending === 'unsettled') unsettled++;
      for (const rule of used) usedBy.get(rule)!.push(at);
      return formIn(canonizer, url);
    });
    this.#usedBy = usedBy;
    this.unsettled = unsettled;
    const members = new Map<string, number>();
    for (const form of this.forms) members.set(form, (members.get(form) ?? 0) + 1);
    this.#members = members;
    const redirected = list.urls.reduce((sum, url, at) => sum + (this.forms[at] === url ? 0 : list.hits[at]!), 0);
    this.totals = { redirected, forms: members.size };
  }

  /** Places in the list of the URLs that a rule changes on their way. */
  usedBy(rule: Rule): readonly number[] {
    return this.#usedBy.get(rule)!;
  }

  /** URLs whose form changes if a rule is left out. */
  changesOf(rule: Rule): Changed[] {
    const canonizer = this.#canonizerOf(this.rules.filter((one) => one !== rule));
    return this.usedBy(rule).flatMap((at) => {
      const [image, form] = [this.forms[at]!, formUnder(canonizer, this.list.urls[at]!)];
      return form === image ? [] : [{ at, form, image }];
    });
  }

  /** How many URLs have a form. */
  membersOf(form: string): number {
    return this.#members.get(form) ?? 0;
  }

  /** Hits that are redirected if the URL has this form. */
  redirectedTo(form: string, at: number): number {
    return form === this.list.urls[at] ? 0 : this.list.hits[at]!;
  }

  /** The totals of all rules but one. */
  without(rule: Rule): Totals {
    const change = new Map<string, number>();
    const add = (form: string, more: number) => change.set(form, (change.get(form) ?? 0) + more);
    let { redirected, forms } = this.totals;
    for (const { at, form, image } of this.changesOf(rule)) {
      redirected += this.redirectedTo(form, at) - this.redirectedTo(image, at);
      add(image, -1);
      add(form, 1);
    }
    for (const [form, more] of change) {
      const count = this.membersOf(form);
      forms += Number(count + more > 0) - Number(count > 0);
    }
    return { redirected, forms };
  }

  /** The census of the same list under other rules. */
  under(rules: readonly Rule[]): Census {
    return new Census(this.list, rules, this.#canonizerOf);
  }
}

function formUnder(canonizer: Pick<Canonizer, 'trace' | 'canonical'>, url: string): string {
  canonizer.trace(encodeText(url));
  return formIn(canonizer, url);
}

function formIn({ canonical }: Pick<Canonizer, 'canonical'>, url: string): string {
  const { bytes, start, end, isChanged } = canonical;
  return isChanged ? decodeText(bytes, start, end) : url;
}
