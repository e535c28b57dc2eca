// What does a step of normalization do to a URL? Each step is a named rule, which may hold for a site or not:
//
//     fold-slashes            //a///b       -> /a/b          runs of slashes of the path become one
//     drop-end-slash          /a/;v=1?q     -> /a;v=1?q      after a segment that has a name; the root stays
//     add-end-slash           /a;v=1?q      -> /a/;v=1?q     after a segment that has a name, and no dot in it
//     drop-segment      b     /a/b;v=1/b/c  -> /a;v=1/c      with the slash before it; path parameters stay
//     drop-last-segment b     /a/b?q        -> /a/?q         the slash before it stays
//     lower-case              /A/%C3?Q      -> /a/%C3?Q      A to Z of the path, but not in escapes
//     lower-case        q     /A?q=B        -> /A?q=b        A to Z in the values of a parameter
//     drop-empty-fields       ?a=&&b=1      -> ?b=1          fields of the query without text, or without value
//     drop-number-fields      ?id=x&17      -> ?id=x         fields of digits only; a bare query `?17` is not one
//     drop-repeated-fields    ?a=1&b&a=1    -> ?a=1&b        a field that is equal to the previous field of its name
//     sort-fields             ?b=1&a=2&b=0  -> ?a=2&b=1&b=0  by bytes of their names, if all separators are alike
//     sort-values             ?a=2&b&a=1    -> ?a=1&b&a=2    repeated fields by bytes of their values, in places of theirs
//     sort-items          ?a ,  ?a=2,1      -> ?a=1,2        lists, of which `items-place` says where they stand; see `items`
//     drop-repeated-items ?a ,  ?a=2,1,2    -> ?a=2,1
//     one-separator           ?a=1;b=2      -> ?a=1&b=2
//     unescape                /%28a%29      -> /(a)          characters that need no escape
//     trim-end                /a").         -> /a            what is often left at the end of links
//
// Each step is idempotent, leaves scheme and host alone, and turns a URL into a URL; only add-end-slash makes a URL
// longer. So steps ignore everything before the path (`url/form`). `url/fields` defines fields.
//
// Steps edit text that has one character for each byte. Making that text costs more than all else, so `mayChange` looks
// at the bytes of the URL first.
import { AMPERSAND, EQUALS, PERCENT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { byText, bytesOf, charsOf, encodeText, isText, newBytes, type NewBytes } from '../base/bytes.js';
import { pathStart } from '../url/form.js';
import { isRunByte } from '../url/token.js';
import { compileItems, inOrder, withoutRepeated } from './items.js';
import { keyOfPlace, placeFault } from './items-place.js';
import { nameOf, withoutFields } from './query-text.js';
import type { StepName, StepRule } from './rule.js';
import { literal, unescaped } from './byte-text.js';

/** The new text of a path and its query, which begins with `?` unless there is none. */
type Edit = (path: string, query: string) => string;

/** A step, compiled to be applied to very many URLs. */
export interface StepEdit {
  readonly kind: 'step';
  readonly step: StepName;
  readonly text: Uint8Array;
  /** See {@link stepKey}. */
  readonly key: Uint8Array;
  readonly edit: Edit;
}

export function compileStep({ step, text }: Pick<StepRule, 'step' | 'text'>): StepEdit {
  const { edit, key = String } = KINDS[step];
  const bytes = encodeText(text);
  const chars = charsOf(bytes);
  return { kind: 'step', step, text: bytes, key: bytesOf(key(chars)), edit: edit(chars) };
}

/** The image of `url`, in memory from `make`, or `url` itself, the same object, if the step changes nothing. */
export function takeStep(step: StepEdit, url: Uint8Array, make: NewBytes = newBytes): Uint8Array {
  const start = pathStart(url);
  if (!mayChange(step, url, start, url.length)) return url;
  const chars = charsOf(url);
  const path = chars.slice(start).split('?', 1)[0]!;
  const image = chars.slice(0, start) + step.edit(path, chars.slice(start + path.length));
  return image === chars ? url : bytesOf(image, make);
}

/**
 * The text that must occur after the host, as whole tokens, in every URL that the step changes; empty if there is none.
 */
export function stepKey({ key }: StepEdit): Uint8Array {
  return key;
}

/**
 * False if the step cannot change the URL bytes[start, end), whose path begins at `path`. Needs no copy and no view of
 * the URL: of all rules, steps are tried most often, and mostly change nothing.
 */
export function mayChange({ step, key }: StepEdit, bytes: Uint8Array, path: number, end: number): boolean {
  const { isAt = isKey } = KINDS[step];
  for (let at = path; at < end; at++) if (isAt(bytes, at, end, key)) return true;
  return false;
}

/** Why a step with this text is invalid, or undefined. */
export function faultOfStep({ step, text }: Pick<StepRule, 'step' | 'text'>): string | undefined {
  const { fault } = KINDS[step];
  if (fault === undefined ? text === '' : !fault.pattern.test(text)) return undefined;
  return `"text" is ${JSON.stringify(text)}, but ${fault?.reason ?? `${step} takes none`}`;
}

type IsAt = (bytes: Uint8Array, at: number, end: number, key: Uint8Array) => boolean;

interface StepKind {
  /** The step for its text. */
  readonly edit: (text: string) => Edit;
  /** See {@link stepKey}. By default, it is the text. */
  readonly key?: (text: string) => string;
  /** True at some byte of path or query if the step changes the URL bytes[…, end). By default, where its key stands. */
  readonly isAt?: IsAt;
  /** Invalid texts, with the reason. Without this field, every text except the empty one is invalid. */
  readonly fault?: { readonly pattern: RegExp; readonly reason: string };
}

const isKey: IsAt = (url, at, _end, key) => isText(url, at, at + key.length, key);

/** True for a byte that separates fields of the query. */
const isSeparator: IsAt = (url, at) => url[at] === AMPERSAND || url[at] === SEMICOLON;

/** True for a byte that precedes every field of the query. Other bytes of a URL may match too. */
const isMark: IsAt = (url, at, end, key) => isSeparator(url, at, end, key) || url[at] === QUESTION;

const onField = { key: () => '?', isAt: isSeparator };

/** Drops segments, but not their path parameters. A path without any segment left is `/`. */
function dropSegment(text: string): Edit {
  const segment = new RegExp(`/${literal(text)}(?=[/;]|$)`, 'g');
  return (path, query) => {
    const rest = path.replace(segment, '');
    return (rest === path || rest.startsWith('/') ? rest : `/${rest}`) + query;
  };
}

function lowered(text: string): string {
  return text.replace(/%[\da-fA-F]{2}|[A-Z]/g, (part) => (part.length > 1 ? part : part.toLowerCase()));
}

/** Lowers the path, or the values of the parameter `name`. */
function lowerCase(name: string): Edit {
  if (name === '') return (path, query) => lowered(path) + query;
  const put = (all: string, its: string, value: string) => (its.slice(1) === name ? its + lowered(value) : all);
  return (path, query) => path.replace(/(;[^;/=]*)(=[^;/]*)/g, put) + query.replace(/([?&;][^&;=]*)(=[^&;]*)/g, put);
}

/** Removes the fields of the query that match. */
function dropFields(pattern: RegExp): Edit {
  return (path, query) => path + withoutFields(query, (field) => pattern.test(field));
}

const dropNumbers: Edit = (path, query) => {
  const isBare = /^\?[&;]*[^=&;]+[&;]*$/.test(query);
  return isBare ? path + query : dropFields(/^\d+$/)(path, query);
};

const dropRepeated: Edit = (path, query) => {
  const last = new Map<string, string>();
  return (
    path +
    withoutFields(query, (field) => {
      const isRepeated = field !== '' && last.get(nameOf(field)) === field;
      if (field !== '') last.set(nameOf(field), field);
      return isRepeated;
    })
  );
};

const sortFields: Edit = (path, query) => {
  const [separator, other] = new Set(query.match(/[&;]/g));
  if (separator === undefined || other !== undefined) return path + query;
  const fields = query.slice(1).split(separator);
  return `${path}?${fields.sort((a, b) => byText(nameOf(a), nameOf(b))).join(separator)}`;
};

/** Separators are sorted among themselves, which changes nothing. */
const sortValues: Edit = (path, query) => {
  const parts = query.slice(1).split(/([&;])/);
  const left = new Map<string, string[]>();
  for (const part of [...parts].sort().reverse()) {
    const name = nameOf(part);
    left
      .set(name, left.get(name) ?? [])
      .get(name)!
      .push(part);
  }
  return path + query.slice(0, 1) + parts.map((part) => left.get(nameOf(part))!.pop()!).join('');
};

/** What URLs do not end in, raw or escaped. A bracket that closes an earlier one is an exception. */
const JUNK = '"\'`,;\\<>()[]{} \t\n\r';
const BRACKETS = '()[]{}<>';

const trimEnd: Edit = (path, query) => {
  const text = path + query;
  // The slash of the path stays, and the query is not part of the path.
  let end = text.length;
  for (let cut = end; ;) {
    while (cut > 1 && text[cut - 1] === '.') cut--;
    const unit = /(?:%[\da-f]{2}|[^])$/i.exec(text.slice(Math.max(1, cut - 3), cut))?.[0] ?? '';
    if (!isJunk(unescaped(unit), text, cut - unit.length)) return text.slice(0, end);
    end = cut -= unit.length;
  }
};

function isJunk(char: string, text: string, start: number): boolean {
  if (char === '' || !JUNK.includes(char)) return false;
  const at = BRACKETS.indexOf(char);
  return at % 2 < 1 || !unescaped(text.slice(0, start)).includes(BRACKETS[at - 1]!);
}

/** Junk is no letter or digit, but may be escaped. */
const mayEndInJunk: IsAt = (url, at, end) => at + 1 === end && (!isRunByte(url[at]!) || url[at - 2] === PERCENT);

const segmentFault = {
  // eslint-disable-next-line no-control-regex -- a URL has none
  pattern: /^$|[/;?#\u0000-\u0020\u007f]/,
  reason: 'no segment is empty or has a space or any of / ; ? #',
};
const nameFault = { pattern: /[&;=#]/, reason: 'no parameter name has any of & ; = #' };

/** A step without text that edits the path, or path and query as one text. */
function replaced(pattern: RegExp, put: string): () => Edit {
  return () => (path, query) => path.replace(pattern, put) + query;
}

const ofSegment = { key: (text: string) => `/${text}`, fault: segmentFault };
const ofItems = { key: keyOfPlace, fault: placeFault };

const KINDS: Readonly<Record<StepName, StepKind>> = {
  'fold-slashes': { edit: replaced(/\/\/+/g, '/'), key: () => '//' },
  'drop-end-slash': {
    edit: replaced(/(\/[^/;][^/]*)\/+((?:;[^/]*)?)$/, '$1$2'),
    isAt: (url, at, end, key) => url[at] === SLASH && (at + 1 === end || isMark(url, at + 1, end, key)),
  },
  'add-end-slash': { edit: replaced(/(\/[^/;.]+)((?:;[^/]*)?)$/, '$1/$2') },
  'drop-segment': { edit: dropSegment, ...ofSegment },
  'drop-last-segment': {
    edit: (text) => replaced(new RegExp(`/${literal(text)}((?:;[^/]*)?)$`), '/$1')(),
    ...ofSegment,
  },
  'lower-case': { edit: lowerCase, isAt: (url, at) => url[at]! >= 0x41 && url[at]! <= 0x5a, fault: nameFault },
  'drop-empty-fields': {
    ...onField,
    edit: () => dropFields(/^([^=]*=)?$/),
    isAt: (url, at, end, key) =>
      (at + 1 === end || isMark(url, at + 1, end, key)) && (url[at] === EQUALS || isMark(url, at, end, key)),
  },
  'drop-number-fields': { ...onField, edit: () => dropNumbers },
  'drop-repeated-fields': { ...onField, edit: () => dropRepeated },
  'sort-fields': { ...onField, edit: () => sortFields },
  'sort-values': { ...onField, edit: () => sortValues },
  'sort-items': { ...ofItems, edit: (text) => compileItems(text, inOrder) },
  'drop-repeated-items': { ...ofItems, edit: (text) => compileItems(text, withoutRepeated) },
  'one-separator': { edit: () => (path, query) => path + query.replaceAll(';', '&'), key: () => ';' },
  unescape: {
    edit: () => (path, query) => (path + query).replace(/%(?:2[147-9ac]|3a|40)/gi, unescaped),
    key: () => '%',
  },
  'trim-end': { edit: () => trimEnd, isAt: mayEndInJunk },
};

/** All steps, in the order of the list above. */
export const STEP_NAMES = Object.keys(KINDS) as readonly StepName[];
