// How is text written in XML? In printable ASCII; other characters by number.

/**
 * For the text of an element, or an attribute in double quotes. The text has no control character and no lone
 * surrogate.
 */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]|[^\x20-\x7e]/gu, (char) => `&#${char.codePointAt(0)!};`);
}

/** Characters that XML 1.0 has no way to write. */
export function isXml(text: string): boolean {
  return !/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text);
}

/** Lines of `headingLines`, without two adjacent hyphens. */
export function xmlComment(lines: readonly string[]): readonly string[] {
  return ['<!--', ...lines.map((line) => `  ${line}`.trimEnd()), '-->'];
}
