// What does a web server do to a URL? It makes a list of edits, each once, in order, as an administrator writes them:
//
//     find                                                                put
//     ^http://www\.example\.com/(.*)$                                     http://example.com/ $1
//     ^(https?://[^/?]*/(?:[^?]*/)?)index\.html(?=(?:;[^/?]*)?(?:\?|$))(.*)$   $1 $2
//
// Then it tries a list of expressions (`guards`) on the result. If one matches, an edit would change the URL again, and
// the URL is left alone. So a server answers with one redirect or none, whatever the rules are.
import type { Rule } from '../../rule/rule.js';
import type { LeftOut } from '../target.js';
import { literal, type Part } from './where.js';

/** Texts, and numbers of captured groups. */
export type Put = readonly (string | number)[];

export interface Edit {
  /** An expression for the whole URL, from `^` to `$`, that PCRE, JavaScript and Java read alike. */
  readonly find: string;
  readonly put: Put;
}

/** Edits that belong together, with their rules. Only a unit of parameters has several rules. */
export interface Unit {
  readonly rules: readonly Rule[];
  readonly edits: readonly Edit[];
  /** Matches while the unit has work left. */
  readonly undone: string;
  /** True if one pass of its edits may not finish a URL. */
  readonly isLimited: boolean;
  /** The parts of the URL that its edits and conditions read, and the parts that its edits change. */
  readonly reads: ReadonlySet<Part>;
  readonly changes: ReadonlySet<Part>;
  /** For a unit that replaces the start of a URL: the old and the new start, without the scheme if the scheme stays. */
  readonly move?: readonly [from: string, to: string];
}

export interface Edits {
  readonly units: readonly Unit[];
  readonly guards: readonly string[];
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

/**
 * Matches URLs that are left alone for their length: Varnish's expressions may exceed pcre2_match_limit there, which is
 * a 503.
 */
export const LONG = '^.{1501}';
/** `.` or `..` in a path. Clients resolve these before they send a request, so an edit must have made them. */
const DOTS = '^[^?]*/\\.\\.?(?:[/?]|$)';
/** Clients do not send a fragment. */
const FRAGMENT = '^[^#]*#';
/**
 * An empty field. `canonize` removes it together with a parameter, and Apache does not redirect to a URL that ends in
 * `?` or `&`.
 */
const EMPTY_FIELD = '^[^?]*\\?(?:.*[&;])?(?:[&;]|$)';

/** The guards: at least one for each unit that a later unit could give work again. */
export function guardsOf(units: readonly Unit[]): readonly string[] {
  const undone = units.filter(
    (unit, at) => unit.isLimited || units.slice(at + 1).some((later) => mayWake(later, unit)),
  );
  return [LONG, DOTS, FRAGMENT, EMPTY_FIELD, ...undone.map((unit) => unit.undone)];
}

/**
 * Joins moves that follow one another: m. → www. and www. → bare become m. → bare and www. → bare. It begins at the
 * last move, so that earlier moves use its result.
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

/** True if the move matches every URL that begins with the text, whatever follows. */
function goesOn(text: string, { move, edits }: Unit): boolean {
  return move !== undefined && text.startsWith(move[0]) && edits[0]!.find.startsWith(`^${literal(move[0])}(.*)`);
}

/** True if the order of the two units matters. */
export function meet(one: Unit, other: Unit): boolean {
  return [one, other].some((by) => {
    const unit = by === one ? other : one;
    return mayWake(by, unit) || mayChange(by, unit, by.move?.[0]);
  });
}

/** True if a change by `by` could let `unit` match. */
function mayWake(by: Unit, unit: Unit): boolean {
  return mayChange(by, unit, by.move?.[1]);
}

/**
 * True if the first unit could change what the second matches. `text` is the start of all URLs that the first changes
 * or has changed, if known.
 */
function mayChange({ changes }: Unit, { reads, move }: Unit, text: string | undefined): boolean {
  if (![...changes].some((part) => reads.has(part))) return false;
  if (text === undefined || move === undefined || reads.has('query')) return true;
  const [from] = move;
  const hasScheme = (some: string) => some.startsWith('http');
  return hasScheme(text) !== hasScheme(from) || text.startsWith(from) || from.startsWith(text);
}

/** Returns the function that gives a URL its form. URLs have one char per byte. */
export function createForms(units: readonly Unit[]): (url: string) => string {
  const pass = createPass(units);
  const guards = guardsOf(units).map(expression);
  return (url) => {
    const form = pass(url);
    return guards.some((guard) => guard.test(form)) ? url : form;
  };
}

/** Returns a function that makes each edit once. */
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

/** Compiled expressions, kept because edits are tried in many orders. */
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
