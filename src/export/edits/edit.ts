// What does a web server do to a URL? A list of edits, each made once, in order, as an administrator writes them:
//
//     find                                                                put
//     ^http://www\.example\.com/(.*)$                                     http://example.com/ $1
//     ^(https?://[^/?]*/(?:[^?]*/)?)index\.html(?=(?:;[^/?]*)?(?:\?|$))(.*)$   $1 $2
//
// and a list of what must not match at the end (`guards`): a URL that an edit would change again is left alone. So a
// server answers with one redirect, or with none, whatever the rules are.
import type { Rule } from '../../rule/rule.js';
import type { LeftOut } from '../target.js';
import { literal, type Part } from './where.js';

/** Text and numbers of groups. */
export type Put = readonly (string | number)[];

export interface Edit {
  /** An expression for the whole URL, from `^` to `$`, that PCRE, JavaScript and Java read alike. */
  readonly find: string;
  readonly put: Put;
}

/** Edits that belong together, with the rules that they are the edits of: several only for parameters. */
export interface Unit {
  readonly rules: readonly Rule[];
  readonly edits: readonly Edit[];
  /** Matches as long as the unit has not done its work. */
  readonly undone: string;
  /** True if its edits may be too few for a URL; else they are enough, once each. */
  readonly isLimited: boolean;
  /** What of the URL its edits and their conditions look at, and what they change. */
  readonly reads: ReadonlySet<Part>;
  readonly changes: ReadonlySet<Part>;
  /** Of a unit that replaces the beginning of a URL: both texts, without the scheme if that stays. */
  readonly move?: readonly [from: string, to: string];
}

export interface Edits {
  readonly units: readonly Unit[];
  readonly guards: readonly string[];
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

/** In longer ones, Varnish's expressions may take more steps than it allows (pcre2_match_limit), which is a 503. */
export const LONG = '^.{1501}';
/** A path with `.` or `..` in it is resolved by the client before it gets here, unless an edit has made it. */
const DOTS = '^[^?]*/\\.\\.?(?:[/?]|$)';
/** Clients do not send a fragment. */
const FRAGMENT = '^[^#]*#';
/** A field without text: it goes when a parameter does, and Apache sends no redirect to a URL that ends in `?` or `&`. */
const EMPTY_FIELD = '^[^?]*\\?(?:.*[&;])?(?:[&;]|$)';

/** Of these, at least each unit that a later one could give work again. */
export function guardsOf(units: readonly Unit[]): readonly string[] {
  const undone = units.filter(
    (unit, at) => unit.isLimited || units.slice(at + 1).some((later) => mayWake(later, unit)),
  );
  return [LONG, DOTS, FRAGMENT, EMPTY_FIELD, ...undone.map((unit) => unit.undone)];
}

/**
 * With moves that say where they end: m. → www. and www. → bare are m. → bare and www. → bare. The last one first, so that
 * what a move goes on by ends there.
 */
export function composed(units: readonly Unit[]): readonly Unit[] {
  const ended = [...units];
  for (let at = units.length - 1; at >= 0; at--) {
    const { move, edits } = units[at]!;
    if (move === undefined) continue;
    const [from, to] = move;
    const onward = ended.findIndex((later, place) => place > at && goesOn(to, later));
    if (onward < 0 || ended.slice(at + 1, onward).some((between) => meet(between, ended[onward]!))) continue;
    const [next, end] = ended[onward]!.move!;
    const text = end + to.slice(next.length);
    const [edit] = edits;
    const put = edit!.put.map((piece) => (piece === to ? text : piece));
    ended[at] = { ...units[at]!, edits: [{ ...edit!, put }], move: [from, text] };
  }
  return ended;
}

/** Whether each URL that begins with the text is moved on, whatever follows. */
function goesOn(text: string, { move, edits }: Unit): boolean {
  return move !== undefined && text.startsWith(move[0]) && edits[0]!.find.startsWith(`^${literal(move[0])}(.*)`);
}

/** Whether it matters which of them is made first. */
export function meet(one: Unit, other: Unit): boolean {
  return [one, other].some((by) => {
    const unit = by === one ? other : one;
    return mayWake(by, unit) || mayChange(by, unit, by.move?.[0]);
  });
}

/** Whether a change by the one could let the other find something. */
function mayWake(by: Unit, unit: Unit): boolean {
  return mayChange(by, unit, by.move?.[1]);
}

/** Whether the one could change what the other finds; `text` is how URLs begin that it changes, or has changed. */
function mayChange({ changes }: Unit, { reads, move }: Unit, text: string | undefined): boolean {
  if (![...changes].some((part) => reads.has(part))) return false;
  if (text === undefined || move === undefined || reads.has('query')) return true;
  const [from] = move;
  const hasScheme = (some: string) => some.startsWith('http');
  return hasScheme(text) !== hasScheme(from) || text.startsWith(from) || from.startsWith(text);
}

/** The form of a URL, which has one char per byte. */
export function createForms(units: readonly Unit[]): (url: string) => string {
  const pass = createPass(units);
  const guards = guardsOf(units).map(expression);
  return (url) => {
    const form = pass(url);
    return guards.some((guard) => guard.test(form)) ? url : form;
  };
}

/** All edits, once each. */
export function createPass(units: readonly Unit[]): (url: string) => string {
  const compiled = units.flatMap(({ edits }) => edits).map(({ find, put }) => ({ find: expression(find), put }));
  return (url) => {
    let form = url;
    for (const { find, put } of compiled) {
      const match = find.exec(form);
      if (match !== null) form = put.map((piece) => (typeof piece === 'number' ? match[piece] : piece)).join('');
    }
    return form;
  };
}

/** Edits are tried in many orders. */
const expressions = new Map<string, RegExp>();
const MOST_EXPRESSIONS = 5000;

function expression(find: string): RegExp {
  const known = expressions.get(find);
  if (known !== undefined) return known;
  if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
  const made = new RegExp(find, 's');
  expressions.set(find, made);
  return made;
}
