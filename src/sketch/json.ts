// The readable text of a JSON document.
//
//     {"title":"Caf\u00e9 \"Nord\"","tags":[1,true]}   →   title Café "Nord"  tags  1 true
//
// Keys and values without the punctuation around them. This scans and does not parse: truncated text and JSON lines
// work too, and depth costs nothing.

const escapes: Readonly<Record<string, string>> = { b: ' ', f: ' ', n: '\n', r: '\r', t: '\t' };

/** The text of a JSON document, words separated by white space. Any string is one; takes linear time. */
export function jsonText(source: string): string {
  const parts: string[] = [];
  for (let at = 0; at < source.length;) {
    const quote = source.indexOf('"', at);
    const open = quote < 0 ? source.length : quote;
    parts.push(source.slice(at, open).replace(/[{}[\],:]+/g, ' '));
    const close = endOfString(source, open + 1);
    parts.push(unescaped(source.slice(open + 1, close)));
    at = close + 1;
  }
  return parts.join(' ').trim();
}

/** The offset of the quote that ends the string which begins at `at`. */
function endOfString(source: string, at: number): number {
  for (; at < source.length && source[at] !== '"'; at++) if (source[at] === '\\') at++;
  return Math.min(at, source.length);
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|([^]))/gi, (_, hex: string | undefined, char: string) =>
    hex === undefined ? (escapes[char] ?? char) : String.fromCharCode(parseInt(hex, 16)),
  );
}
