// What does a JSON text say?
//
//     {"title":"Caf\u00e9 \"Nord\"","tags":[1,true]}   →   title Café "Nord"  tags  1 true
//
// Keys and values without the punctuation around them. This reads and does not parse: a text that was cut off, or is a line
// for each object, says what it says, and depth costs nothing.

const escapes: Readonly<Record<string, string>> = { b: ' ', f: ' ', n: '\n', r: '\r', t: '\t' };

/** The text of a JSON document, words parted by white space. Any string is one; takes time linear in its length. */
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

/** Where the quote stands that ends the string which begins at `at`. */
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
