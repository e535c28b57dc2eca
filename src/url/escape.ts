// How are bytes written in a request line, which takes printable ASCII only, and what do escapes mean?

/**
 * bytes[start, end) as ASCII text. Bytes that are not allowed in a request line are escaped; nothing else is changed.
 */
export function escapeBytes(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    text += byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : escapeOf(byte);
  }
  return text;
}

export function escapeOf(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The text with its escapes decoded; as it is if they are damaged, or no UTF-8. */
export function withoutEscapes(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
