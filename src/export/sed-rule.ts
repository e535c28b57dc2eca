// Compiles a rule to sed commands on the URL in the pattern space (rule/apply, rule/parameter). There is no lookahead
// or lookbehind: the text around a place is matched and put back. The leftmost match of `s` is the leftmost place.
//
//     story → tale          s,(^|MARK)story(MARK|$),\1tale\2,
//     story → my-story      places inside a `my-story` get a blank for their first byte, until one is found outside:
//
//                           :r7
//                           s,(^|MARK)story(MARK|$),\1\nstory\2,            a newline before the leftmost place
//                           \,(^|MARK)my-\nstory(MARK|$),{                  its own result
//                           s,\ns, ,
//                           b r7
//                           }
//                           s, ,s,g
//                           s,\nstory,my-story,
//
// A newline marks the beginning of a query, and a `&` after it gives the first field a separator like the others.
import { encodeText } from '../base/bytes.js';
import { compileSubstring } from '../rule/apply.js';
import type { ParameterRule, Rule, SubstringRule, UrlForm } from '../rule/rule.js';
import { isClean } from '../url/form.js';
import { isRunByte } from '../url/token.js';
import { stepCommands } from './sed-step.js';
import { hangsOnHost, placesInScheme, startsInRunOf } from './url-head.js';
import { HTTP, literal, MARK, MARK_OR_BLANK, NEWLINE, ORIGIN, replacement } from './sed-text.js';

/** Commands, or why there are none. */
export type SedRule =
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  | { readonly kind: 'left'; readonly reason: string };

const say = (...commands: readonly string[]): SedRule => ({ kind: 'commands', commands });
const leave = (reason: string): SedRule => ({ kind: 'left', reason });

/** Labels are made from `id`, which is unique. With path form, the pattern space has path and query only. */
export function sedRule(rule: Rule, id: number, urlForm: UrlForm): SedRule {
  switch (rule.kind) {
    case 'substring':
      return substringCommands(rule, id, urlForm);
    case 'parameter':
      return parameterCommands(rule, id);
    case 'step': {
      const commands = stepCommands(rule, id);
      return typeof commands === 'string' ? leave(commands) : say(...commands);
    }
    case 'pattern':
      return leave('is a pattern');
    default:
      return rule satisfies never;
  }
}

/** Pieces of expressions for one substring rule. */
interface Place {
  /** What matches `from`, and what has to surround it: '', an anchor, or a group. */
  readonly left: string;
  readonly right: string;
  readonly from: string;
  /** Matches if the place after a newline is part of `to` already; '' if that is impossible. */
  readonly own: string;
}

function substringCommands(rule: SubstringRule, id: number, urlForm: UrlForm): SedRule {
  const { from, to, anchor } = rule;
  if (!isClean(encodeText(from))) return leave('matches nothing');
  if (!isClean(encodeText(to))) return leave('would write a blank or a control character');
  if (from === '') {
    if (anchor === 'none' || anchor === 'both') return leave('matches nothing');
    return emptyCommands(rule, urlForm);
  }
  const place = placeOf(rule);
  const passed = passedOver(rule, place.from, urlForm);
  if (passed === undefined) return leave('can take a URL apart at its scheme');
  const none = [...(place.own === '' ? [] : [place.own]), ...passed];
  if (none.length === 0) return say(substitute(place, replacement(to)));
  const mark = substitute(place, `${NEWLINE}${replacement(from)}`);
  const restore = `s, ,${replacement(firstByte(from))},g`;
  return say(...skip(rule, none, mark, id), restore, `s,\\n${place.from},${replacement(to)},`);
}

/** Puts back the surroundings of a place, if they were matched. */
function substitute({ left, from, right }: Place, put: string): string {
  const first = left.startsWith('(') ? '\\1' : '';
  const second = right.startsWith('(') ? (first === '' ? '\\1' : '\\2') : '';
  return `s,${left}${from}${right},${first}${put}${second},`;
}

/**
 * A byte, as the char or lone surrogate that it is in the script: a place begins with a whole character or with a byte
 * that is not part of one.
 */
function firstByte(text: string): string {
  return Array.from(text)[0]!;
}

function skip({ from }: SubstringRule, none: readonly string[], mark: string, id: number): readonly string[] {
  return [`:r${id}`, mark, `\\,${none.join('|')},{`, `s,\\n${literal(firstByte(from))}, ,`, `b r${id}`, '}'];
}

function placeOf({ from, to, anchor }: SubstringRule): Place {
  const [atStart, atEnd] = [anchor === 'start' || anchor === 'both', anchor === 'end' || anchor === 'both'];
  const startsInRun = (text: string) => text !== '' && isRunByte(encodeText(text)[0]!);
  const endsInRun = (text: string) => text !== '' && isRunByte(encodeText(text).at(-1)!);
  const left = (text: string, mark: string) => (atStart ? '^' : startsInRun(text) ? `(^|${mark})` : '');
  const right = (text: string) => (atEnd ? '$' : endsInRun(text) ? `(${MARK}|$)` : '');
  // A blank replaces the first byte of a place that was skipped.
  const first = firstByte(from);
  const markThere = startsInRun(from) ? MARK : MARK_OR_BLANK;
  const before = (text: string) =>
    Array.from(text, (char) => (char === first ? `(${literal(char)}| )` : literal(char))).join('');
  const own = offsetsIn({ from, to, anchor }).map(
    (at) => `${left(to, markThere)}${before(to.slice(0, at))}\\n${literal(to.slice(at))}${right(to)}`,
  );
  return { left: left(from, MARK), right: right(from), from: literal(from), own: own.join('|') };
}

/** Every place of `from` in `to`, as whole tokens and with the same anchors. */
function offsetsIn({ from, to, anchor }: Pick<SubstringRule, 'from' | 'to' | 'anchor'>): number[] {
  const bytes = (text: string) => encodeText(text);
  const isCut = (at: number) => {
    const [before, after] = [bytes(to.slice(0, at)).at(-1), bytes(to.slice(at))[0]];
    return before === undefined || after === undefined || !isRunByte(before) || !isRunByte(after);
  };
  const found: number[] = [];
  for (let at = to.indexOf(from); at >= 0; at = to.indexOf(from, at + 1)) {
    const stop = at + from.length;
    if ((anchor === 'start' || anchor === 'both') && at > 0) break;
    if ((anchor === 'end' || anchor === 'both') && stop < to.length) continue;
    if (isCut(at) && isCut(stop)) found.push(at);
  }
  return found;
}

/** Adds something before or after every URL, unless it is there already. */
function emptyCommands({ to, anchor }: SubstringRule, urlForm: UrlForm): SedRule {
  const ends = isRunByte(encodeText(to).at(-1)!);
  const starts = isRunByte(encodeText(to)[0]!);
  if (anchor === 'end') {
    const isThere = `\\,${starts ? `(^|${MARK})` : ''}${literal(to)}$,`;
    // After a host without path there has to be a slash.
    const some = urlForm === 'path' && !to.startsWith('/') ? '.' : '';
    const put = `s,${some}$,&${replacement(to)},`;
    if (urlForm === 'path' || /^[/?]/.test(to)) return say(`${isThere}!${put}`);
    return say(`${isThere}!{`, `\\,^${HTTP}[^/?]*$,!${put}`, '}');
  }
  const isThere = `\\,^${literal(to)}${ends ? `(${MARK}|$)` : ''},`;
  if (!to.startsWith('/')) return leave('would leave no URL of this host');
  const put = `${isThere}!s,^,${replacement(to)},`;
  return urlForm === 'path' ? say(put) : say('\\,^/,{', put, '}');
}

/**
 * Expressions for the lines in which the rule must skip the marked place, as it would change scheme or host (url-head);
 * undefined if that is not known. Before it, a blank replaces the first byte of each place that was skipped.
 */
function passedOver(rule: SubstringRule, from: string, urlForm: UrlForm): readonly string[] | undefined {
  const { to } = rule;
  const beginsPath = /^[/?]/.test(rule.from);
  const atEnd = rule.anchor === 'end' || rule.anchor === 'both';
  const whatFollows = atEnd ? '' : `${from}([^/]|$)`;
  const ofPath = !beginsPath || to.startsWith('/') ? [] : [`^\\n${to === '' ? whatFollows : ''}`];
  if (urlForm === 'path') return ofPath;
  const substitution = compileSubstring(rule);
  const inScheme = placesInScheme(substitution);
  if (inScheme === undefined || hangsOnHost(substitution)) return undefined;
  const first = firstByte(rule.from);
  const scheme = inScheme.flatMap(({ head, isTaken }) => (isTaken ? [] : [`^${schemeText(head, first)}\\n`]));
  // There is a blank in place of a skipped slash, which ends the host.
  const host = `^${schemeText('http', first)}${schemeText('s', first)}?${schemeText('://', first)}[^/?\\n${beginsPath ? ' ' : ''}]*\\n`;
  const isFine = beginsPath ? /^[/?]/.test(to) || (to === '' && atEnd) : startsInRunOf(substitution);
  const ofHost = isFine ? [] : [beginsPath && to === '' ? `${host}${from}[^/?]` : host];
  return [...new Set([...(rule.from.startsWith('/') ? ofPath : []), ...scheme, ...ofHost])];
}

/** A piece of `https://`, in any case. */
function schemeText(text: string, first: string): string {
  return Array.from(text, (char) => {
    const blank = char === first.toLowerCase() ? ' ' : '';
    if (/[a-z]/.test(char)) return `[${char.toUpperCase()}${char}${blank}]`;
    return blank === '' ? char : `[${char} ]`;
  }).join('');
}

function parameterCommands(rule: ParameterRule, id: number): SedRule {
  const { name, action, value } = rule;
  if (name === '' || /[&;=#]/.test(name) || !isClean(encodeText(name)))
    return leave('has a name that no parameter has');
  if (action === 'remove') return say(...removeFromPath(name, id), ...removeFromQuery(name, id));
  if (!isClean(encodeText(value ?? ''))) return leave('would write a blank or a control character');
  if (/[&;?/#]/.test(value ?? '')) return leave('sets a value with a separator in it');
  return say(...setFirst(name, value === null ? '' : `=${value}`, id));
}

/** After loops: resets the `t` flag, which says that something was changed. */
const changed = 's,^,,';

/** A name with one of these cannot be a path parameter. */
const canBeInPath = (name: string) => !/[/?]/.test(name);
const FIELD_END = '([&;]|$)';

function removeFromPath(name: string, id: number): readonly string[] {
  if (!canBeInPath(name)) return [];
  const inPath = `^(${ORIGIN}/[^?]*);${literal(name)}=`;
  return [`\\,${inPath},{`, `:p${id}`, `s,${inPath}[^;/?]*,\\1,`, `t p${id}`, changed, '}'];
}

function hasInQuery(name: string): string {
  return `\\,^[^?]*\\?(.*[&;])?${literal(name)}([=&;]|$),`;
}

/** A query of one field without `=` has no parameter. */
const isBare = (name: string) => `\\,^[^?]*\\?[&;]*${literal(name)}[&;]*$,`;
const markQuery = `s,\\?,?${NEWLINE}\\&,`;

function removeFromQuery(name: string, id: number): readonly string[] {
  return [
    `${hasInQuery(name)}{`,
    `${isBare(name)}!{`,
    markQuery,
    `:q${id}`,
    `s,(\\n.*)[&;](${literal(name)}(=[^&;]*)?)?${FIELD_END},\\1\\4,`,
    `t q${id}`,
    's,\\?\\n$,,',
    's,\\n[&;],,',
    changed,
    '}',
    '}',
  ];
}

/** The first such parameter, which is in the path if it has any there, gets the value; further ones are removed. */
function setFirst(name: string, put: string, id: number): readonly string[] {
  const inQuery = setInQuery(name, put, id);
  if (!canBeInPath(name)) return inQuery;
  const text = literal(name);
  return [
    `\\,^${ORIGIN}/[^?]*;${text}=,{`,
    `:p${id}`,
    `s,^(${ORIGIN}/[^?]*;${text}=[^?]*);${text}=[^;/?]*,\\1,`,
    `t p${id}`,
    `s,^(${ORIGIN}/[^?]*;${text})=[^;/?]*,\\1${replacement(put)},`,
    ...removeFromQuery(name, id),
    changed,
    `b z${id}`,
    '}',
    ...inQuery,
    `:z${id}`,
  ];
}

function setInQuery(name: string, put: string, id: number): readonly string[] {
  const text = literal(name);
  const field = `[&;]${text}(=[^&;]*)?`;
  return [
    `${hasInQuery(name)}{`,
    `${isBare(name)}!{`,
    markQuery,
    // With one, empty fields are removed too.
    `\\,\\n.*${field}[&;](.*[&;])?${text}([=&;]|$),{`,
    `:s${id}`,
    `s,(\\n.*${field}([&;].*)?)${field}${FIELD_END},\\1\\5,`,
    `t s${id}`,
    `:e${id}`,
    `s,(\\n.*)[&;]${FIELD_END},\\1\\2,`,
    `t e${id}`,
    '}',
    `s,(\\n.*[&;]${text})(=[^&;]*)?${FIELD_END},\\1${replacement(put)}\\3,`,
    's,\\n[&;],,',
    changed,
    '}',
    '}',
  ];
}
