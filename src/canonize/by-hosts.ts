// Rules of classes of hosts name thousands of hosts in their conditions, and testing these one by one would take longer
// than anything else. A condition on the host alone is settled when the host is known. So hosts with the same rules
// become a group, which has copies of these rules without the conditions:
//
//   remove sid   only a.example, b.example            group 1: a.example       remove sid, //www. → //
//   //www. → //  not b.example                        group 2: b.example       remove sid
//                                                     group 0: all others      //www. → //
//
// Canonization then sees groups as sites. Rules of one site are copied to the groups of its hosts.
import { encodeText } from '../base/bytes.js';
import { groupBy } from '../base/group-by.js';
import { withoutConditions } from '../rule/condition.js';
import { hostOf, hostsNamed } from '../rule/of-hosts.js';
import { everySite, type Rule } from '../rule/rule.js';
import type { SiteOf } from '../url/site-finder.js';

/** Fewer conditions are tested one by one. */
const FEW = 8;

export interface ByHosts {
  readonly rules: readonly Rule[];
  readonly siteOf: SiteOf;
  /** The rule that a copy is of, or the rule itself. */
  readonly original: (rule: Rule) => Rule;
}

/** The rules in groups of hosts. */
export function groupedByHosts(rules: readonly Rule[], siteOf: SiteOf): ByHosts {
  const ofClasses = rules.filter(isOfClass);
  if (ofClasses.length === 0) return { rules, siteOf, original: (rule) => rule };
  return new Grouping(ofClasses, siteOf).group(rules);
}

function isOfClass({ site, only = [], not = [] }: Rule): boolean {
  return (
    site === everySite && only.length + not.length >= FEW && [...only, ...not].every(({ part }) => part === 'host')
  );
}

class Grouping {
  readonly #ofClasses: readonly Rule[];
  readonly #siteOf: SiteOf;
  /** Classes that name the host, in `only` or in `not`. */
  readonly #namedBy = new Map<string, number[]>();
  readonly #original = new Map<Rule, Rule>();
  /** By classes in use, and site with rules of its own. */
  readonly #groups = new Map<
    string,
    { readonly name: string; readonly classes: readonly number[]; readonly site: string }
  >();

  constructor(ofClasses: readonly Rule[], siteOf: SiteOf) {
    this.#ofClasses = ofClasses;
    this.#siteOf = siteOf;
    for (const [at, rule] of ofClasses.entries()) {
      for (const host of hostsNamed(rule)) {
        const named = this.#namedBy.get(host);
        if (named === undefined) this.#namedBy.set(host, [at]);
        else named.push(at);
      }
    }
  }

  group(rules: readonly Rule[]): ByHosts {
    const owned = groupBy(
      rules.filter(({ site }) => site !== everySite),
      ({ site }) => site,
    );
    const groupOf = new Map<string, string>();
    const others = new Map<string, string>();
    const byDefault = this.#groupFor([], '');
    for (const site of owned.keys()) others.set(site, this.#groupFor([], site));
    for (const [host, named] of this.#namedBy) {
      const url = encodeText(`http://${host}/`);
      const site = this.#siteOf(url, 0, url.length);
      groupOf.set(host, this.#groupFor(named, owned.has(site) ? site : ''));
    }
    const copies = [...this.#groups.values()].flatMap(({ name, classes, site }) => [
      ...classes.map((at) => this.#copy(withoutConditions(this.#ofClasses[at]!), this.#ofClasses[at]!, name)),
      ...(owned.get(site) ?? []).map((rule) => this.#copy(rule, rule, name)),
    ]);
    const isOfClasses = new Set(this.#ofClasses);
    const everywhere = rules.filter((rule) => rule.site === everySite && !isOfClasses.has(rule));
    return {
      rules: [...everywhere, ...copies],
      siteOf: (bytes, start, end) => {
        return groupOf.get(hostOf(bytes, start, end)) ?? others.get(this.#siteOf(bytes, start, end)) ?? byDefault;
      },
      original: (rule) => this.#original.get(rule) ?? rule,
    };
  }

  /** The name of the group of hosts that these classes name, of a site with rules of its own or of any other. */
  #groupFor(named: readonly number[], site: string): string {
    const key = `${named.join()} ${site}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known.name;
    const isNamed = new Set(named);
    const classes = [...this.#ofClasses.keys()].filter((at) =>
      this.#ofClasses[at]!.only === undefined ? !isNamed.has(at) : isNamed.has(at),
    );
    const name = `${everySite}${this.#groups.size}`;
    this.#groups.set(key, { name, classes, site });
    return name;
  }

  #copy(rule: Rule, original: Rule, site: string): Rule {
    const copy = { ...rule, site };
    this.#original.set(copy, original);
    return copy;
  }
}
