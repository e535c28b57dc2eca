// Parameter rules as SPEC 9 defines them, with maps and loops on strings; it shares no code with the miner that it
// checks. Text is latin1: one char per byte. What the specification leaves open:
//
// - A group is judged only if its members have at least two values; having no parameter is one, a bare name is one.
// - Order of members: without the parameter, then the value of the most groups, ties to bare, the shortest, the first;
//   then the order of the URL list, which is that of bytes with punctuation before letters, digits and bytes from 0x80.
// - Pivot: the first member with a size or a sketch. ε = 1/20 of the members for which evidence compares them with the
//   pivot.
// - A group is as near as the smallest level (equal, 0.3 %, 2 %, 10 %, further) that 1 − ε of its members reach. A
//   scope is judged at the first three levels: as near is for, further is against. The level that is furthest above
//   chance counts; ties go to the smallest.
// - Chance: the page of a group is its base without the neutral parameters (MS groups within 0.3 %, and more than are
//   not; the 64 with most of them, ties to the first name); its template is the path with digit tokens as `#` and,
//   without a query, `*` for the last name up to its last `.`. The groups of one template that have a pivot are sorted
//   by two hashes of the page, then by the URL list; the first 16 members with evidence after the pivot are compared
//   with the pivot of the last earlier group whose page has other hashes.
// - Accepted: MS groups for, and twice as many as against; Wilson ≥ 0.4 and > chance + 0.2; nothing inside is refuted:
//   MS groups and most of them against, and fewer than 0.05 such places expected by the share of the site ((against +
//   1) / (all + 2)) (Chernoff). For `set`, all of this by the members that have the parameter.
// - Unless the name is known: how near all members are to their pivots (for `set`, to the first that has the parameter)
//   says what share of the URLs would become another page (twin-confidence); and a kind of value (none, digits, letters,
//   other) of which fewer than MS groups are for it at that level is not vouched for.
// - A choice: in three of ten groups, and with its most common value in as many groups of the name, there are two values.
//   It may sort a list, if the site has at most 32 URLs with it for each group, and it is not known as a campaign or session; so may parameters named so.
// - `set`, by the members that have the parameter only, if most groups with a pivot without it are against.
import { LEVELS, byList, isOrderName, remembered, twinConfidence, twinNearness } from './twin-confidence.js';
import type { TwinUrl } from './twin.js';
import { wilson } from './twin.js';

export interface TwinParameterOptions {
  readonly MS: number;
  readonly similarity: boolean;
  readonly paramMinUrls: number;
  readonly untested?: boolean;
}

export interface TwinParameter {
  readonly name: string;
  readonly action: 'remove' | 'set';
  readonly value: string | null;
  readonly scope: 'site' | 'prefix' | 'path';
  readonly path: string;
  readonly groups: number;
  readonly urls: number;
  readonly against: number;
  readonly chance: number;
  readonly confidence: number;
}

interface Field {
  readonly name: string;
  readonly value: string | null;
}

interface Split {
  readonly origin: string;
  /** Segments of the path: the text before the first `;`, and the path parameters. */
  readonly segments: readonly { readonly text: string; readonly parameters: readonly string[] }[];
  readonly query: readonly { readonly separator: string; readonly text: string }[] | undefined;
}

/** The same list is asked for every name, scope and level: a URL is taken apart once. */
const split = remembered(splitUrl);
const parametersOf = remembered(findParameters);

function splitUrl(url: string): Split {
  const [, origin, rest] = /^((?:https?:\/\/[^/?]*)?)([^]*)$/i.exec(url)!;
  const mark = rest!.indexOf('?');
  const path = mark < 0 ? rest! : rest!.slice(0, mark);
  const segments = path.split('/').map((segment) => {
    const [text, ...parameters] = segment.split(';');
    return { text: text!, parameters };
  });
  if (mark < 0) return { origin: origin!, segments, query: undefined };
  return { origin: origin!, segments, query: fieldsOf(rest!.slice(mark + 1)) };
}

/** The fields after the first `?`, each with the separator before it. */
function fieldsOf(text: string): { separator: string; text: string }[] {
  let before = -1;
  return text.split(/[&;]/).map((field) => {
    const separator = before < 0 ? '?' : text[before]!;
    before += field.length + 1;
    return { separator, text: field };
  });
}

function asField(text: string): Field {
  const equals = text.indexOf('=');
  return equals < 0 ? { name: text, value: null } : { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function isBare({ query }: Split): boolean {
  const filled = (query ?? []).filter(({ text }) => text !== '');
  return filled.length === 1 && query!.every(({ text }) => !text.includes('='));
}

function isPathParameter(text: string): boolean {
  return text.indexOf('=') > 0;
}

/** All parameters in the order of the URL; of repeated names the first counts. */
function findParameters(url: string): readonly Field[] {
  const parts = split(url);
  const texts = parts.segments.flatMap(({ parameters }) => parameters.filter(isPathParameter));
  if (!isBare(parts)) texts.push(...(parts.query ?? []).map(({ text }) => text).filter((text) => asField(text).name));
  const fields = new Map<string, Field>();
  for (const text of texts) {
    const field = asField(text);
    if (!/[&#]/.test(text) && !fields.has(field.name) && fields.size < 32) fields.set(field.name, field);
  }
  return [...fields.values()];
}

function without(url: string, name: string): string {
  const parts = split(url);
  const goes = (text: string) => asField(text).name === name;
  const path = parts.segments
    .map(({ text, parameters }) =>
      [text, ...parameters.filter((parameter) => !(isPathParameter(parameter) && goes(parameter)))].join(';'),
    )
    .join('/');
  let query = parts.query ?? [];
  if (!isBare(parts) && query.some(({ text }) => asField(text).name === name)) {
    query = query
      .filter(({ text }) => text !== '' && !goes(text))
      .map((field, k) => (k === 0 ? { ...field, separator: '?' } : field));
  }
  return parts.origin + path + query.map(({ separator, text }) => separator + text).join('');
}

interface Member extends TwinUrl {
  /** Undefined for the member without the parameter. */
  readonly value?: string | null;
}

interface Group {
  readonly name: string;
  readonly base: string;
  readonly members: Member[];
}

/** How near the members are: equal, within 0.3 %, 2 %, 10 %, further; or unknown. */
type Voice = (typeof LEVELS)[number] | 'silent';

interface Judged extends Group {
  readonly voice: Voice;
  readonly present: Voice;
  readonly nearVoice: readonly number[];
  readonly nearPresent: readonly number[];
  readonly pivot: Member | undefined;
  readonly sample: readonly Member[];
  chance: Voice;
}

export function twinParameters(urls: readonly TwinUrl[], options: TwinParameterOptions): TwinParameter[] {
  const list = [...urls].sort((a, b) => byList(a.url, b.url));
  const rules: TwinParameter[] = [];
  const groups = groupsOf(list, options);
  const compare = comparison(list, options);
  const judged = groups.map((group) => judge(group, options, compare));
  const totals = (name: string) => {
    const mine = judged.filter((group) => group.name === name);
    return { name, ...heard(mine, 'voice', 2) };
  };
  const names = [...new Set(judged.map(({ name }) => name))].sort((a, b) => (a < b ? -1 : 1));
  const sums = names.map(totals);
  const neutral = sums
    .filter((sum) => sum.for >= options.MS && sum.for > sum.against)
    .sort((a, b) => b.for - a.for)
    .slice(0, 64)
    .map(({ name }) => name);
  for (const sum of sums) {
    const mine = judged.filter((group) => group.name === sum.name);
    askChance(mine, neutral, list, options, compare);
    rules.push(...scopesOf(sum.name, mine, list, options));
  }
  return rules;
}

function groupsOf(list: readonly TwinUrl[], { paramMinUrls }: TwinParameterOptions): Group[] {
  const counts = new Map<string, number>();
  for (const { url } of list) for (const { name } of parametersOf(url)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const groups = new Map<string, Group>();
  for (const entry of list) {
    for (const { name, value } of parametersOf(entry.url)) {
      if (counts.get(name)! < paramMinUrls) continue;
      const base = without(entry.url, name);
      const key = `${name} ${base}`;
      const group = groups.get(key) ?? { name, base, members: [] };
      groups.set(key, group);
      group.members.push({ ...entry, value });
    }
  }
  const entries = new Map(list.map((entry) => [entry.url, entry]));
  const all = [...groups.values()];
  const rank = valueRanks(all);
  for (const { name, base, members } of all) {
    members.sort((a, b) => rank.get(keyOf(name, a.value!))! - rank.get(keyOf(name, b.value!))!);
    if (entries.has(base)) members.unshift(entries.get(base)!);
  }
  return all.filter(({ members }) => new Set(members.map(({ value }) => value)).size > 1);
}

const keyOf = (name: string, value: string | null) => `${name}=${value === null ? '' : `=${value}`}`;

/** For every name and value: the groups that have it. */
function basesOfValues(groups: readonly Group[]) {
  const values = new Map<string, { name: string; value: string | null; bases: Set<string> }>();
  for (const { name, base, members } of groups) {
    for (const { value = null } of members) {
      const key = keyOf(name, value);
      const entry = values.get(key) ?? { name, value, bases: new Set() };
      values.set(key, entry);
      entry.bases.add(base);
    }
  }
  return values;
}

/** For every name and value: its rank among the values of the name. */
function valueRanks(groups: readonly Group[]): Map<string, number> {
  const values = basesOfValues(groups);
  const order = [...values].sort(
    ([, a], [, b]) =>
      b.bases.size - a.bases.size ||
      (a.value?.length ?? -1) - (b.value?.length ?? -1) ||
      (a.value! < b.value! ? -1 : 1),
  );
  return new Map(order.map(([key], index) => [key, index]));
}

type Compare = (a: TwinUrl, b: TwinUrl) => Voice;

function comparison(list: readonly TwinUrl[], { similarity }: TwinParameterOptions): Compare {
  return similarity ? twinNearness(list) : () => 0;
}

function judge({ name, base, members }: Group, { similarity }: TwinParameterOptions, compare: Compare): Judged {
  const witnesses = members.filter((member) => !similarity || member.min !== undefined || member.sketch !== undefined);
  const present = witnesses.filter(({ value }) => value !== undefined);
  const presentValues = new Set(members.map(({ value }) => value).filter((value) => value !== undefined));
  const [pivot, ...others] = witnesses;
  return {
    name,
    base,
    members,
    pivot,
    voice: voice(pivot, others, compare),
    present: presentValues.size > 1 ? voice(present[0], present.slice(1), compare) : 'silent',
    nearVoice: levelsOf(pivot, others, compare),
    nearPresent: presentValues.size > 1 ? levelsOf(present[0], present.slice(1), compare) : [],
    sample: others.slice(0, 16),
    chance: 'silent',
  };
}

/** The smallest level that at most one in twenty of the members exceeds. */
function voice(pivot: TwinUrl | undefined, others: readonly TwinUrl[], compare: Compare): Voice {
  const levels = levelsOf(pivot, others, compare);
  if (levels.length === 0) return 'silent';
  return LEVELS.find((level) => levels.filter((other) => other > level).length <= levels.length / 20)!;
}

function kindOf(value: string | null): string {
  if (value === null || value === '') return 'none';
  if (/^[0-9]+$/.test(value)) return 'number';
  return /^[A-Za-z\x80-\xff]+$/.test(value) ? 'word' : 'other';
}

function levelsOf(pivot: TwinUrl | undefined, others: readonly TwinUrl[], compare: Compare): number[] {
  if (pivot === undefined) return [];
  return others.map((other) => compare(pivot, other)).filter((level) => level !== 'silent');
}

/** How many groups are as near as the level, and how many are not. */
function heard(groups: readonly Judged[], by: 'voice' | 'present' | 'chance', level: number) {
  const levels = groups.map((group) => group[by]).filter((word) => word !== 'silent');
  const near = levels.filter((other) => other <= level).length;
  return { for: near, against: levels.length - near };
}

function askChance(
  groups: Judged[],
  neutral: readonly string[],
  list: readonly TwinUrl[],
  { similarity }: TwinParameterOptions,
  compare: Compare,
): void {
  const rows = new Map(list.map(({ url }, row) => [url, row]));
  const templates = new Map<string, { group: Judged; hash: string; row: number }[]>();
  for (const group of groups) {
    if (group.pivot === undefined) continue;
    const page = neutral.reduce((url, name) => without(url, name), group.base);
    const template = templateOf(page);
    const hash = `${hex(hashOf(page, 0x811c9dc5))}${hex(hashOf(page, 0x9e3779b9))}`;
    const first = group.members.find(({ value }) => value !== undefined)!;
    const entries = templates.get(template) ?? [];
    templates.set(template, entries);
    entries.push({ group, hash, row: rows.get(first.url)! });
  }
  for (const entries of templates.values()) {
    entries.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.row - b.row));
    for (const [at, { group, hash }] of entries.entries()) {
      const other = entries.slice(0, at).findLast((entry) => entry.hash !== hash);
      if (other !== undefined && similarity) group.chance = voice(other.group.pivot, group.sample, compare);
    }
  }
}

function templateOf(page: string): string {
  const path = page.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = path.indexOf('?');
  const bare = (mark < 0 ? path : path.slice(0, mark)).replace(/;[^]*/, '');
  const abstract = (text: string) => text.replace(/[A-Za-z0-9\x80-\xff]*[0-9][A-Za-z0-9\x80-\xff]*/g, '#');
  // With a `;` in the path, the part before it is the path; the query is searched for after it.
  if (mark >= 0) return `${abstract(bare)}?`;
  const slash = bare.lastIndexOf('/') + 1;
  const last = bare.slice(slash);
  const dot = last.lastIndexOf('.');
  return abstract(bare.slice(0, slash)) + (last === '' ? '' : `*${dot < 0 ? '' : abstract(last.slice(dot))}`);
}

/** FNV-1a and the finisher of MurmurHash3. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hex = (number: number) => number.toString(16).padStart(8, '0');

interface Scope {
  readonly scope: TwinParameter['scope'];
  readonly path: string;
  readonly holds: (place: string) => boolean;
}

function scopesOf(
  name: string,
  groups: readonly Judged[],
  list: readonly TwinUrl[],
  { MS, untested, similarity }: TwinParameterOptions,
): TwinParameter[] {
  const withHost = list.some(({ url }) => /^https?:\/\//i.test(url));
  const scopes = new Map<string, Scope>([['site', { scope: 'site', path: '', holds: () => true }]]);
  for (const group of groups) {
    const place = placeOf(firstUrl(group), withHost);
    if (place === '') continue;
    for (let at = place.indexOf('/', place.startsWith('//') ? 2 : 0); at >= 0; at = place.indexOf('/', at + 1)) {
      const path = place.slice(0, at + 1);
      scopes.set(`prefix ${path}`, { scope: 'prefix', path, holds: (other) => other.startsWith(path) });
    }
    scopes.set(`path ${place}`, { scope: 'path', path: place, holds: (other) => other === place });
  }
  const inside = (scope: Scope) => groups.filter((group) => scope.holds(placeOf(firstUrl(group), withHost)));
  const isRefuted = (scope: Scope, by: 'voice' | 'present', level: number) => {
    const site = heard(groups, by, level);
    const share = (site.against + 1) / (site.for + site.against + 2);
    const { for: yes, against: no } = heard(inside(scope), by, level);
    return no >= MS && no > yes && (site.for + site.against) * chernoff(no, yes + no, share) < 0.05;
  };
  const all = [...scopes.values()];
  const asked = [0, 2, 4].map((level) => ({
    level,
    voice: all.filter((scope) => isRefuted(scope, 'voice', level)),
    present: all.filter((scope) => isRefuted(scope, 'present', level)),
  }));
  const isInside = (inner: Scope, outer: Scope) =>
    inner !== outer && (outer.scope === 'site' || (outer.scope === 'prefix' && inner.path.startsWith(outer.path)));
  interface Accepted {
    readonly scope: Scope;
    readonly action: TwinParameter['action'];
    readonly yes: number;
    readonly no: number;
    readonly chance: number;
    readonly confidence: number;
  }
  const withName = list.filter(({ url }) => parametersOf(url).some((field) => field.name === name)).length;
  const bases = basesOfValues(allGroups(list, name));
  const isChoice = (members: readonly Judged[]) => {
    const valuesOf = (group: Judged) => group.members.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const several = members.filter((group) => new Set(valuesOf(group)).size > 1).length;
    const common = Math.max(...members.flatMap(valuesOf).map((value) => bases.get(keyOf(name, value))!.bases.size));
    return several >= 0.3 * members.length && common >= 0.3 * members.length;
  };
  const witnesses = ({ members }: Judged) =>
    members.filter(({ min, sketch }) => !similarity || min !== undefined || sketch !== undefined);
  const valuesOfList = list.flatMap(({ url }) =>
    parametersOf(url)
      .filter((field) => field.name === name)
      .slice(0, 1),
  );
  const urlsOfUnvouchedKinds = (level: number) => {
    const isVouched = remembered((kind) => {
      const ofKind = groups.filter((group) =>
        witnesses(group).some(({ value }) => value !== undefined && kindOf(value) === kind),
      );
      return heard(ofKind, 'voice', level).for >= MS;
    });
    return valuesOfList.filter(({ value }) => !isVouched(kindOf(value))).length;
  };
  const accepted: Accepted[] = [];
  const ofLevels = (members: readonly Judged[], by: 'voice' | 'present' | 'chance') =>
    LEVELS.map((level) => (similarity ? members.filter((group) => group[by] === level).length : 0));
  for (const scope of scopes.values()) {
    const members = inside(scope);
    const chanceAt = (level: number) => {
      const { for: yes, against: no } = heard(members, 'chance', level);
      return yes === 0 ? 0 : yes / (yes + no);
    };
    const confidenceBy = (by: 'voice' | 'present', action: TwinParameter['action'], count: number, level: number) => {
      const isFew = scope.scope !== 'site' || withName <= 32 * count;
      const isKnown = /^(jsessionid|utm_\w+)$/.test(name);
      const mayOrder = isOrderName(name) || (isFew && isChoice(members) && !isKnown);
      const nears = members.flatMap(({ nearVoice, nearPresent }) => (by === 'voice' ? nearVoice : nearPresent));
      const near = LEVELS.map((at) => nears.filter((other) => other === at).length);
      const evidence = {
        pairs: ofLevels(members, by),
        chance: ofLevels(members, 'chance'),
        mayOrder,
        list: list.length,
      };
      const unvouched = action === 'set' ? 0 : urlsOfUnvouchedKinds(level);
      return twinConfidence(similarity && !isKnown ? { ...evidence, members: { near, unvouched } } : evidence, action);
    };
    if (members.every((group) => group.voice === 'silent')) {
      if (untested && scope.scope === 'site' && members.length >= MS) {
        const confidence = confidenceBy('voice', 'remove', 0, 0);
        accepted.push({ scope, action: 'remove', yes: 0, no: 0, chance: chanceAt(0), confidence });
      }
      continue;
    }
    const byAbsent = members.filter(({ pivot }) => pivot !== undefined && pivot.value === undefined);
    const possible = asked.flatMap(({ level, ...refuted }): (Accepted & { readonly margin: number })[] => {
      const absent = heard(byAbsent, 'voice', level);
      const by = absent.against > absent.for ? 'present' : 'voice';
      const action = by === 'present' ? 'set' : 'remove';
      if (refuted[by].some((inner) => isInside(inner, scope))) return [];
      const { for: yes, against: no } = heard(members, by, level);
      const lower = wilson(yes, yes + no);
      const chance = chanceAt(level);
      if (yes < MS || yes < 2 * no || lower < 0.4 || lower - chance <= 0.2) return [];
      return [
        {
          scope,
          action,
          yes,
          no,
          chance,
          confidence: confidenceBy(by, action, yes + no, level),
          margin: lower - chance,
        },
      ];
    });
    // Ties go to the smallest level.
    const [best] = possible.sort((a, b) => b.margin - a.margin);
    if (best !== undefined) accepted.push(best);
  }
  const broadest = accepted.filter(({ scope }) => !accepted.some((other) => isInside(scope, other.scope)));
  const ranks = valueRanks(allGroups(list, name));
  return broadest.map(({ scope, action, yes, no, chance, confidence }) => {
    const values = inside(scope).flatMap(({ members }) => members.map(({ value }) => value));
    const present = values.filter((value): value is string | null => value !== undefined);
    const [value] = present.sort((a, b) => ranks.get(keyOf(name, a))! - ranks.get(keyOf(name, b))!);
    const urls = list.filter(
      ({ url }) => parametersOf(url).some((field) => field.name === name) && isIn(scope, url),
    ).length;
    return {
      name,
      action,
      value: value!,
      scope: scope.scope,
      path: scope.path,
      groups: yes,
      urls,
      against: no,
      chance,
      confidence,
    };
  });
}

/** All groups of a name, including those of one member. */
function allGroups(list: readonly TwinUrl[], name: string): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of list) {
    const field = parametersOf(entry.url).find((parameter) => parameter.name === name);
    if (field === undefined) continue;
    const base = without(entry.url, name);
    const group = groups.get(base) ?? { name, base, members: [] };
    groups.set(base, group);
    group.members.push({ ...entry, value: field.value });
  }
  return [...groups.values()];
}

/** Whether a rule of this scope would apply. */
function isIn({ scope, path }: Scope, url: string): boolean {
  const hasHost = /^https?:\/\//i.test(url);
  const text = path.startsWith('//')
    ? hasHost
      ? url.slice(url.indexOf(':') + 1)
      : ''
    : url.replace(/^https?:\/\/[^/?]*/i, '');
  if (scope === 'site') return true;
  if (!text.startsWith(path)) return false;
  return scope === 'prefix' || /^[;?]?$/.test(text.slice(path.length, path.length + 1));
}

function firstUrl({ members }: Group): string {
  return members.find(({ value }) => value !== undefined)!.url;
}

function placeOf(url: string, withHost: boolean): string {
  const hasHost = /^https?:\/\//i.test(url);
  if (!hasHost && (withHost || url[1] === '/')) return '';
  return (hasHost ? url.slice(url.indexOf(':') + 1) : url).replace(/[;?][^]*/, '');
}

function chernoff(k: number, n: number, share: number): number {
  const part = k / n;
  if (part <= share) return 1;
  const rest = part === 1 ? 0 : (1 - part) * Math.log((1 - part) / (1 - share));
  return Math.exp(-n * (part * Math.log(part / share) + rest));
}
