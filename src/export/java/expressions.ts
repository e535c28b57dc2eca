// Rules for a crawler that has only a list of Java expressions, each applied once: the rounds are unrolled. The state
// of a round is kept before the form, separated by newlines, as no URL contains one:
//
//     given                     the input
//     given \n form             two newlines if it was not normal: then its forms need not be normal
//     given \n form \n form     before each of maxIterations rounds; rules work on what follows the last newline
//     form                      if a round has not changed it: nothing below matches without a newline
//     given                     given up, or at the end
//
// A crawler tries all of them on every URL, 2.5 µs each, so only the rules that come first have a place: `maxList`
// expressions let through 800 URLs/s. The class in Java (`source.ts`) has no such limit.
//
// Given up are URLs that never settle, those whose form would have to be normalized on the way, and those of which one
// rule would have to change more than `maxEdits` places.
import { maxFormBytes } from '../../canonize/limits.js';
import { java } from '../dialect.js';
import { expressible, type Said } from '../expressible.js';
import type { Step } from '../step.js';
import { notNormalPattern } from '../normal-pattern.js';
import type { ExportRequest, LeftOut } from '../target.js';
import type { Rule } from '../../rule/rule.js';
import { isXml } from './xml.js';

/** Matches a URL once, or not at all, and as a whole; `put` is in the syntax of java.util.regex.Matcher. */
export interface Replacement {
  readonly find: string;
  readonly put: string;
}

export interface Replacements {
  readonly list: readonly Replacement[];
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

const maxEdits = 4;
/** A dozen rules, for ten rounds. */
const maxList = 500;
const given = '^([^\\n]++)';
/** Up to the form that is worked on. */
/** Java's `.` ends at U+0085, U+2028 and U+2029 too. */
const rest = '[^\\n]*';
const before = '\\n++[^\\n]++\\n';

export function javaReplacements(request: ExportRequest): Replacements {
  const { normalization, urlForm, maxIterations } = request;
  const urls = urlForm === 'absolute' ? 'absolute' : 'any';
  const all = expressible(request, { dialect: java, urls, isBounded: true, refuse });
  const { said, left: crowdedOut } = firstOf(all.said, maxList / maxIterations);
  const left = [...all.left, ...crowdedOut].sort((a, b) => a.rule.rank - b.rule.rank);
  const edits = said.flatMap(editsOf);
  const notNormal = notNormalPattern(normalization, urlForm);
  const check = notNormal === '' ? [] : [giveUp(`${given}\\n(?!\\n)[^\\n]++\\n${notNormal}${rest}`)];
  const round = [
    { find: '^([^\\n]++\\n++)([^\\n]++)\\z', put: '$1$2\n$2' },
    ...edits.flatMap(entriesOf),
    ...check,
    giveUp(`${given}${before}[^\\n]{${maxFormBytes + 1},}`),
    { find: '^[^\\n]++\\n++([^\\n]++)\\n\\1\\z', put: '$1' },
    { find: '^([^\\n]++\\n++)[^\\n]++\\n([^\\n]*)\\z', put: '$1$2' },
  ];
  const rounds = Array.from({ length: maxIterations }, () => round).flat();
  const list = [...begin(notNormal, urls), ...rounds, giveUp(`${given}\\n++${rest}`)];
  return { list: said.length === 0 ? [] : list, carried: said.map(({ rule }) => rule), left };
}

/** As many of the rules as have a place in a round. */
function firstOf(said: readonly Said[], room: number): { readonly said: readonly Said[]; readonly left: LeftOut[] } {
  let used = 0;
  const hasPlace = said.map((one) => (used += editsOf(one).flatMap(entriesOf).length) <= room);
  const reason = `comes after ${maxList} expressions, which are slow: the Java class has every rule`;
  return {
    said: said.filter((_, at) => hasPlace[at]),
    left: said.filter((_, at) => !hasPlace[at]).map(({ rule }) => ({ rule, reason })),
  };
}

function refuse({ put }: Step): string | undefined {
  // The fragment would have to be cut off before the next round.
  if (put.includes('#')) return 'writes a fragment';
  // Two of the three formats are XML.
  return isXml(put) ? undefined : 'has a character that XML has not';
}

function begin(notNormal: string, urls: 'absolute' | 'any'): readonly Replacement[] {
  const http = '[hH][tT][tT][pP][sS]?://';
  const url = `(?=${urls === 'any' ? `(?:/|${http})` : http})([^\\x00-\\x20\\x7f#]{1,${maxFormBytes}})(#[^\\x00-\\x20\\x7f]*)?\\z`;
  const some = [{ find: `^${url}`, put: '$1$2\n$1' }];
  return notNormal === '' ? some : [{ find: `^${notNormal}${url}`, put: '$1$2\n\n$1' }, ...some];
}

function giveUp(find: string): Replacement {
  return { find: `${find}\\z`, put: '$1' };
}

interface Edit {
  readonly edit: Replacement;
  /** Gives up if the edit would still change something. */
  readonly again: Replacement;
  readonly times: number;
}

function entriesOf({ edit, again, times }: Edit): readonly Replacement[] {
  return [...Array.from({ length: times }, () => edit), ...(times > 1 ? [again] : [])];
}

/**
 * The steps of a rule with the same replacement, as alternatives: first those that remove fields, but not before a value
 * is set, as a bare name that is left alone in the query is no parameter. Nearly always a single edit is enough.
 */
function editsOf({ rule, steps }: Said): readonly Edit[] {
  const puts = [...new Set(steps.map(({ put }) => put))].sort();
  if (rule.kind === 'parameter' && rule.action === 'set') puts.reverse();
  return puts.map((put) => editOf(steps.filter((step) => step.put === put)));
}

function editOf(steps: readonly Step[]): Edit {
  const any = `(?:${steps.map(({ find }) => find.slice(1)).join('|')})`;
  // Only the head of the matching alternative is not empty; the last group is the rest.
  const heads = Array.from({ length: steps.length + 1 }, (_, at) => `$${at + 2}`);
  const put = `$1${heads.slice(0, -1).join('')}${quoted(steps[0]!.put)}${heads.at(-1)}`;
  const times = steps.length > 1 || steps.some(({ repeat }) => repeat) ? maxEdits : 1;
  const edit = { find: `^([^\\n]++${before})${any}(${rest})\\z`, put };
  return { edit, again: giveUp(`${given}${before}${any}${rest}`), times };
}

/** Not a group reference, not a digit after one, not a placeholder of Spring. */
function quoted(put: string): string {
  return put.replace(/[\\${}#]|^[0-9]/g, '\\$&');
}
