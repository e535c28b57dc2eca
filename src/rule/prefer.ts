// Which host and which scheme do canonical forms have? If a site answers at several, logs and pages often do not
// decide, so a user may: `--prefer-host www.example.com --prefer-scheme https`. The options of the rules file record
// the choice. It turns rules that lead away from the preferred host, however their direction was found:
//
//     http://www.example.com/ → http://example.com/          sides that differ in the origin only change places
//     http://www. → http://                                  holds no longer on www.example.com, and this is added:
//                                                            http://example.com/ → http://www.example.com/
//     http://www.example.com/a? → http://example.com/b?      http://www.example.com/a? → http://www.example.com/b?,
//                                                            if another rule merges the two hosts
//
// Two addresses are the same page in either direction, so status and evidence stay.
import { sayingKey } from './identity.js';
import type { Condition, Preference, Rule, RulesFile, SubstringRule } from './rule.js';
import { isPinned, isVetoed } from './standing.js';
import { turnedSubstring } from './turn.js';

export interface Preferring<F> {
  readonly file: F;
  /** New rules and rules that changed, as they are now. */
  readonly changed: readonly Rule[];
  /** Rules that still lead away: they are pinned, or change more than scheme and host. */
  readonly left: readonly Rule[];
  /** Rules that already led to the preferred host or scheme. */
  readonly agreeing: readonly Rule[];
  /** Changed rules whose former direction the site itself uses: it redirects, or names the other URL as canonical. */
  readonly contradicted: readonly Rule[];
}

type File = Pick<RulesFile, 'rules'>;

interface Origin {
  readonly scheme: string;
  readonly host: string;
}

type Move = readonly [Origin, Origin];

/** Applies a preference. Idempotent. */
export function preferring<F extends File>(file: F, preference: Preference): Preferring<F> {
  const rules: Rule[] = [];
  /** Indices in `rules`. */
  const changed: number[] = [];
  const contradicted: number[] = [];
  const left: Rule[] = [];
  const agreeing: Rule[] = [];
  const said = new Set<string>();
  const whole = new Set(file.rules.flatMap((rule) => wholeMove(rule) ?? []));
  const add = (rule: Rule) => {
    const key = sayingKey(rule);
    if (said.has(key)) return false;
    said.add(key);
    rules.push(rule);
    return true;
  };
  for (const rule of file.rules) {
    const moves = rule.kind === 'substring' && !isVetoed(rule) ? movesOf(rule) : [];
    const away = moves.filter(([from, to]) => worth(from, preference) > worth(to, preference));
    if (rule.kind !== 'substring' || away.length === 0) {
      if (moves.some(([from, to]) => worth(from, preference) < worth(to, preference))) agreeing.push(rule);
      add(rule);
      continue;
    }
    const instead = insteadOf(rule, away, whole);
    if (instead.every((one) => sayingKey(one) === sayingKey(rule))) left.push(rule);
    for (const one of instead) {
      if (!add(one) || sayingKey(one) === sayingKey(rule)) continue;
      changed.push(rules.length - 1);
      if (rule.word !== undefined) contradicted.push(rules.length - 1);
    }
  }
  const ranked = rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
  const rankedOf = (places: readonly number[]) => places.map((at) => ranked[at]!);
  const result = { left, agreeing, contradicted: rankedOf(contradicted), changed: rankedOf(changed) };
  return { file: { ...file, rules: ranked }, ...result };
}

/** Hosts (with ports) and schemes of the URLs in rules. */
export function seenIn({ rules }: { readonly rules: Iterable<Rule> }): {
  readonly hosts: ReadonlySet<string>;
  readonly schemes: ReadonlySet<string>;
} {
  const [hosts, schemes] = [new Set<string>(), new Set<string>()];
  for (const { examples } of rules) {
    for (const origin of examples.flat().map(originOf)) {
      if (origin === undefined) continue;
      hosts.add(origin.host);
      schemes.add(origin.scheme);
    }
  }
  return { hosts, schemes };
}

function worth({ scheme, host }: Origin, preference: Preference): number {
  return Number(host === preference.host) + Number(scheme === preference.scheme);
}

/** `rest` begins at the path. */
function originOf(url: string): (Origin & { readonly rest: string }) | undefined {
  const [whole, scheme, user, host] = /^(https?):\/\/([^/?#@]*@)?([^/?#@]+)(?=[/?#]|$)/i.exec(url) ?? [];
  if (whole === undefined || user !== undefined) return undefined;
  return { scheme: scheme!.toLowerCase(), host: host!.toLowerCase(), rest: url.slice(whole.length) };
}

/** The two origins of a rule that leads all URLs of one to the other, as a key for either direction. */
function wholeMove(rule: Rule): string | undefined {
  if (rule.kind !== 'substring' || isVetoed(rule) || isPinned(rule)) return undefined;
  const [from, to] = wholeSides(rule) ?? [];
  return from?.rest === '/' && to?.rest === '/' ? pairKey([from, to]) : undefined;
}

function pairKey(move: Move): string {
  return move
    .map(({ scheme, host }) => `${scheme}://${host}`)
    .sort()
    .join(' ');
}

/** Whether a rule leads from one scheme or host to another. */
export function movesOrigin(rule: Rule): boolean {
  return rule.kind === 'substring' && movesOf(rule).length > 0;
}

/** The origins between which a rule leads, from its text or else from its examples. */
function movesOf(rule: SubstringRule): readonly Move[] {
  const sides = wholeSides(rule);
  const pairs = sides === undefined ? rule.examples.map((pair) => pair.map(originOf)) : [sides];
  return pairs.flatMap(([from, to]) =>
    from === undefined || to === undefined || (from.host === to.host && from.scheme === to.scheme)
      ? []
      : [[from, to] as const],
  );
}

/** Both sides, if each has the whole origin and the slash after it. */
function wholeSides({ from, to, anchor }: SubstringRule) {
  if (anchor !== 'start' && anchor !== 'both') return undefined;
  const sides = [originOf(from), originOf(to)] as const;
  return sides.every((side) => side?.rest.startsWith('/')) ? sides : undefined;
}

/** The rules that replace a rule. `whole`: pairs of origins that are merged entirely. */
function insteadOf(rule: SubstringRule, away: readonly Move[], whole: ReadonlySet<string>): readonly Rule[] {
  if (isPinned(rule)) return [rule];
  const sides = wholeSides(rule);
  if (sides !== undefined && sides[0]!.rest === sides[1]!.rest) return [turnedSubstring(rule)];
  if (sides !== undefined)
    return away.every((move) => whole.has(pairKey(move))) ? [stayingAt(rule, sides[0]!)] : [rule];
  if (hasSchemesOnly(rule)) return [turnedSubstring(rule)];
  const isHost = away.every(([from, to]) => from.host !== to.host);
  if (!isHost || !rule.examples.every(([url, image]) => originOf(url)?.rest === originOf(image)?.rest)) return [rule];
  const hosts = [...new Set(away.map(([from]) => from.host))];
  const examples = rule.examples.filter(([url]) => !hosts.includes(originOf(url)?.host ?? ''));
  const not = [...(rule.not ?? []), ...hosts.map((is): Condition => ({ part: 'host', is }))];
  const moves = away.map(([from, to]) => turnedSubstring(onWholeOrigin(rule, from, to)));
  return examples.length === 0 ? moves : [...moves, { ...rule, not, examples }];
}

/** The rule without its change of origin. */
function stayingAt(
  { word: _word, otherWay: _otherWay, ...rule }: SubstringRule,
  { scheme, host }: Origin,
): SubstringRule {
  const moved = (url: string) => `${scheme}://${host}${originOf(url)?.rest ?? ''}`;
  return { ...rule, to: moved(rule.to), examples: rule.examples.map(([url, image]) => [url, moved(image)] as const) };
}

/** The rule with the change of one whole origin. */
function onWholeOrigin(rule: SubstringRule, from: Origin, to: Origin): SubstringRule {
  const isFrom = (url: string) => originOf(url)?.host === from.host && originOf(url)?.scheme === from.scheme;
  return {
    ...rule,
    anchor: 'start',
    from: `${from.scheme}://${from.host}/`,
    to: `${to.scheme}://${to.host}/`,
    examples: rule.examples.filter(([url]) => isFrom(url)),
  };
}

/** `https://` → `http://`, on any host. */
function hasSchemesOnly({ from, to, anchor }: SubstringRule): boolean {
  const [rest, otherRest] = [from, to].map((side) => /^https?:(\/\/.*)$/s.exec(side)?.[1]);
  return anchor === 'start' && rest !== undefined && rest === otherRest;
}
