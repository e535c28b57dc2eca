// Where is the syntax error in JSON? `JSON.parse` reports an error, but not always its place. This scans the text
// again, only after a parse has failed, and stops at the first character that cannot continue JSON text.

/** Offset of the first character that breaks the syntax; the length of the text if it ends too early. */
export function syntaxErrorAt(text: string): number {
  const open: string[] = [];
  let expect: Expectation = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const char = text[at]!;
    const top = open.at(-1);
    if (expect === 'end') return at;
    if (expect === 'value' || expect === 'value or ]') {
      if (char === '{' || char === '[') {
        open.push(char);
        expect = char === '{' ? 'name or }' : 'value or ]';
        at++;
      } else if (char === ']' && expect === 'value or ]') {
        open.pop();
        expect = afterValue(open);
        at++;
      } else {
        const next = skipScalar(text, at);
        if (next.broken) return next.at;
        at = next.at;
        expect = afterValue(open);
      }
    } else if (expect === 'name' || expect === 'name or }') {
      if (char === '}' && expect === 'name or }') {
        open.pop();
        expect = afterValue(open);
        at++;
      } else {
        if (char !== '"') return at;
        const next = skipScalar(text, at);
        if (next.broken) return next.at;
        at = next.at;
        expect = ':';
      }
    } else if (expect === ':') {
      if (char !== ':') return at;
      expect = 'value';
      at++;
    } else {
      if (char === (top === '{' ? '}' : ']')) {
        open.pop();
        expect = afterValue(open);
      } else if (char === ',') expect = top === '{' ? 'name' : 'value';
      else return at;
      at++;
    }
    at = skipSpace(text, at);
  }
  return at;
}

type Expectation = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'comma or close' | 'end';

function afterValue(open: readonly string[]): Expectation {
  return open.length === 0 ? 'end' : 'comma or close';
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && ' \t\n\r'.includes(text[at]!)) at++;
  return at;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// eslint-disable-next-line no-control-regex -- control characters are what JSON forbids in strings
const stringBody = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;

/** The offset after a string, number or word; or the place of the error. */
function skipScalar(text: string, at: number): { readonly at: number; readonly broken: boolean } {
  if (text[at] === '"') {
    stringBody.lastIndex = at;
    stringBody.test(text);
    const end = stringBody.lastIndex;
    return text[end] === '"' ? { at: end + 1, broken: false } : { at: end, broken: true };
  }
  for (const word of ['true', 'false', 'null'])
    if (text.startsWith(word, at)) return { at: at + word.length, broken: false };
  number.lastIndex = at;
  return number.test(text) ? { at: number.lastIndex, broken: false } : { at, broken: true };
}

/** `line:column`, both from 1. */
export function lineAndColumn(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

/** A value in at most 60 characters. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
