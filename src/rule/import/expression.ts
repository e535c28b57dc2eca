// Which regular expressions can be read as a rule of ours that does the same? An expression is a row of parts:
//
//     ^ http://h/a/ (.*) $                  http://h/b/$1      text and the rest    substring, at the start
//     /index\.html $                        /                  text alone           substring, at the end
//     ^ http://h/u/ (\d+) / $               http://h/v?id=$1   text and classes     pattern //h/u/{1:digits}/
//     ^ (https?) :// h/u/ ([^/?]+) $        $1://h/v/$2        the scheme is kept   pattern //h/u/{2:segment}
//
// Substring rules match whole tokens, and expressions any text. So the text must begin and end with punctuation, unless
// that end is anchored: then it only occurs as whole tokens. A class of a pattern takes as many bytes as it can, and
// the text after it cannot begin with a byte of the class, so there is nothing to backtrack. Everything else is
// refused, even if a rule would match nearly the same URLs: a pattern does not see the scheme, and no class equals
// [^/]+ or [^&]+.
import { encodeText } from '../../base/bytes.js';
import { isBoundary, isRunByte } from '../../url/token.js';
import { parsePattern, type PatternClass } from '../pattern-text.js';
import type { Anchor } from '../rule.js';
import { type ExpressionPart, partsOfExpression, partsOfReplacement, shown } from './expression-text.js';

/** What the rule says that does the same as an expression. */
export type Meaning = { readonly isPath: boolean } & (
  | {
      readonly kind: 'substring';
      readonly from: string;
      readonly to: string;
      readonly anchor: Anchor;
      /** A URL that the rule leaves alone. */
      readonly except?: string;
    }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly template: string }
);

/** The meaning of an expression and its replacement (`$1`), or why it is refused. */
export function meaningOfExpression(text: string, replacement: string): Meaning | string {
  const expression = partsOfExpression(text);
  if (typeof expression === 'string') return expression;
  const pieces = partsOfReplacement(replacement, expression.groups);
  if (typeof pieces === 'string') return pieces;
  const { parts } = expression;
  if (parts.some(({ kind }) => kind === 'class' || kind === 'scheme')) return patternOf(expression, pieces);
  return substringOf(expression, pieces);
}

interface Expression {
  readonly parts: readonly ExpressionPart[];
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

type Pieces = readonly (string | number)[];

/** The rule for text alone, or with `(.*)` at one of its ends. */
function substringOf({ parts, atStart, atEnd }: Expression, pieces: Pieces): Meaning | string {
  const [first, last] = [parts[0], parts.at(-1)];
  const before = first?.kind === 'rest' ? first : undefined;
  const after = last?.kind === 'rest' && last !== before ? last : undefined;
  const text = parts.find((part) => part.kind === 'text')?.text ?? '';
  if (parts.filter(({ kind }) => kind === 'rest').length > 1 || (before === undefined && parts.length > 2))
    return 'got (.*) beside more than one text, expected it once, at one end; between texts write ([^/?]+) or another class';
  if (text === '') return 'got an expression without text, expected some';
  const rest = before ?? after;
  if (rest?.least === 1 && (before !== undefined || !atStart)) return 'got .+, expected .* or ^ before the text';
  const to = literalBeside(pieces, rest, before !== undefined);
  if (to === undefined)
    return `got a replacement that is not ${before === undefined ? 'text and $1' : '$1 and text'}, expected what (.*) took once, on the side where it was`;
  const start = atStart && before === undefined;
  const end = after === undefined && (atEnd || before !== undefined);
  if (before !== undefined && !atEnd) return 'got no $ at the end, expected one, as (.*) takes as much as it can';
  const fault = faultOfText(text, to, { start, end });
  if (fault !== undefined) return fault;
  const anchor = start ? (end ? 'both' : 'start') : end ? 'end' : 'none';
  const except = rest?.least === 1 ? { except: text } : {};
  return {
    kind: 'substring',
    from: text,
    to,
    anchor,
    ...except,
    isPath: start && text[0] === '/',
  };
}

/** The text of the replacement, beside what the rest took; undefined if it is anything else. */
function literalBeside(pieces: Pieces, rest: ExpressionPart | undefined, isBefore: boolean): string | undefined {
  const own = [...pieces];
  if (rest !== undefined) {
    const copy = isBefore ? own.shift() : own.pop();
    if (rest.kind !== 'rest' || rest.group === 0 || copy !== rest.group) return undefined;
  }
  return own.every((piece) => typeof piece === 'string') ? own.join('') : undefined;
}

/** How a URL begins, in logs with hosts and without. */
const BEGINNINGS = [/^https?:/, /^\/(?!\/)/];

/** Why a substring rule would do something else than an expression of this text. */
function faultOfText(text: string, to: string, { start, end }: { start: boolean; end: boolean }): string | undefined {
  const bytes = encodeText(text);
  if (!end && !isCutBehind(bytes))
    return `got ${shown(text)} before whatever follows, expected text that ends in a sign such as /, or $`;
  if (!start && isRunByte(bytes[0]!))
    return `got ${shown(text)} after whatever precedes, expected text that begins with a sign such as /, or ^`;
  if (!start && !end && !bytes.some(isRunByte) && !/[?&=;]/.test(text))
    return `got ${shown(text)} anywhere, which scheme and host have too; expected a letter, a digit or one of ? & = ;`;
  if (start && !BEGINNINGS.some((one) => one.test(text) && one.test(to)))
    return `got ${shown(text)} and ${shown(to)}, expected http://, https:// or / at the start of both`;
  const isSame = start ? to.startsWith(text) : end ? to.endsWith(text) : to.includes(text);
  if (isSame && !(start && end)) return `got ${shown(to)}, which the expression matches again; expected another form`;
  return undefined;
}

/** True if a token ends with the text, whatever follows. */
function isCutBehind(bytes: Uint8Array): boolean {
  return isBoundary(Uint8Array.of(...bytes, 0x30, 0x30), bytes.length);
}

/** The pattern that does the same; its scheme, if there is one, stays. */
function patternOf({ parts, atStart, atEnd }: Expression, pieces: Pieces): Meaning | string {
  if (!atStart || !atEnd) return `got no ${atStart ? '$ at the end' : '^ at the start'}, expected one beside classes`;
  if (parts.some(({ kind }) => kind === 'rest'))
    return 'got .* beside classes, expected [^/?]+ for a segment, [^?]+ for segments, [^&;]+ for the value of a field';
  const cut = withoutScheme(parts, pieces);
  if (typeof cut === 'string') return cut;
  const pattern = patternText(cut.parts);
  if (pattern.fault !== undefined) return pattern.fault;
  const template = cut.pieces.map((piece) => (typeof piece === 'number' ? `{${piece}}` : piece)).join('');
  const text = { pattern: pattern.text, template };
  const sides = parsePattern(text);
  if (typeof sides === 'string') return `as a pattern ${shown(text.pattern)} it is refused: ${sides}`;
  return { kind: 'pattern', ...text, isPath: !sides.fromHost };
}

interface Cut {
  readonly parts: readonly ExpressionPart[];
  readonly pieces: Pieces;
}

const SCHEME_EXPECTED = 'expected (https?):// or / at the start of both, and $1:// for what (https?) took';

/** Both sides from `//` at the host on, or from the path. */
function withoutScheme(parts: readonly ExpressionPart[], pieces: Pieces): Cut | string {
  const [first, second] = parts;
  if (first?.kind === 'scheme') {
    const own = pieces[1];
    if (pieces[0] !== first.group || typeof own !== 'string' || !own.startsWith('://'))
      return `got another scheme, ${SCHEME_EXPECTED}`;
    if (second?.kind !== 'text' || !second.text.startsWith('://'))
      return `got (https?) without ://, ${SCHEME_EXPECTED}`;
    return {
      parts: [{ ...second, text: second.text.slice(1) }, ...parts.slice(2)],
      pieces: [own.slice(1), ...pieces.slice(2)],
    };
  }
  const [from, to] = [first?.kind === 'text' ? first.text : '', typeof pieces[0] === 'string' ? pieces[0] : ''];
  if (/^\/(?!\/)/.test(from) && /^\/(?!\/)/.test(to)) return { parts, pieces };
  const scheme = /^https?:\/\//.exec(from)?.[0];
  if (scheme === undefined || !to.startsWith(scheme)) return `got ${shown(from)} and ${shown(to)}, ${SCHEME_EXPECTED}`;
  return `got ${scheme} beside a class, and a pattern takes both schemes; ${SCHEME_EXPECTED}`;
}

interface Class {
  readonly name: PatternClass;
  readonly where: 'anywhere' | 'path' | 'query';
}

/** By the set of bytes, sorted as `partsOfExpression` does. */
const CLASSES: Readonly<Record<string, Class>> = {
  '0-9': { name: 'digits', where: 'anywhere' },
  '0-9a-f': { name: 'hex', where: 'anywhere' },
  '-0-9A-Za-z': { name: 'label', where: 'anywhere' },
  '^./?': { name: 'stem', where: 'path' },
  '^/?': { name: 'segment', where: 'path' },
  '^?': { name: 'path', where: 'path' },
  '^&;': { name: 'value', where: 'query' },
};

const KNOWN_CLASSES = '\\d+, [0-9]+, [0-9a-f]+, [A-Za-z0-9-]+, [^/?.]+, [^/?]+, [^?]+ or [^&;]+';

/** Sets that resemble a class of ours, with the difference and the set to write instead. */
const NEARLY: Readonly<Record<string, string>> = {
  '^/': 'which takes ? and the query too; expected [^/?]+ for a segment',
  '^&': 'which takes ; too, and a field ends there; expected [^&;]+ for the value of a field',
};

function patternText(parts: readonly ExpressionPart[]): { readonly text: string; readonly fault?: string } {
  let text = '';
  for (const part of parts) {
    const isQuery = text.includes('?');
    if (part.kind === 'text') text += part.text;
    if (part.kind !== 'class') continue;
    const found = CLASSES[part.set];
    if (found === undefined)
      return { text, fault: `got ${part.written}, ${NEARLY[part.set] ?? `expected one of ${KNOWN_CLASSES}`}` };
    if (found.where === (isQuery ? 'path' : 'query'))
      return {
        text,
        fault: `got ${part.written} in the ${isQuery ? 'query' : 'path'}, expected ${isQuery ? '[^&;]+' : '[^/?]+'}, \\d+ or [0-9a-f]+`,
      };
    text += part.group === 0 ? `{${found.name}}` : `{${part.group}:${found.name}}`;
  }
  const query = text.slice(text.indexOf('?') + 1);
  if (text.includes('?') && /[&;]/.test(query))
    return {
      text,
      fault: 'got fields in an order of their own, expected one field; kind pattern takes several, in any order',
    };
  return { text };
}
