// Text in UTF-16, as PowerShell (`>`, Out-File) and Excel ("Unicode text") write it, is read as UTF-8. It begins with a
// byte order mark or, without one, with two ASCII characters:
//
//   ff fe 47 00 …   little-endian       47 00 45 00 …
//   fe ff 00 47 …   big-endian          00 47 00 45 …
export type Utf16 = 'utf-16le' | 'utf-16be';

/** So many bytes show whether a text is UTF-16. */
export const UTF16_SIGN = 4;

/** Null for any other text. */
export function utf16Of(head: Uint8Array): Utf16 | null {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (head.length < UTF16_SIGN) return null;
  if (isAscii(a) && b === 0 && isAscii(c) && d === 0) return 'utf-16le';
  return a === 0 && isAscii(b) && c === 0 && isAscii(d) ? 'utf-16be' : null;
}

function isAscii(byte: number): boolean {
  return byte >= 0x09 && byte < 0x7f;
}

/** Lone surrogates become U+FFFD. The decoder drops the mark. */
export async function* fromUtf16(chunks: AsyncIterable<Buffer>, encoding: Utf16): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield Buffer.from(text);
  }
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
}
