// How is text written in XML? In printable ASCII; other characters by number.

/**
 * For the text of an element, or an attribute in double quotes. The text has no control character and no lone
 * surrogate.
 */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]|[^\x20-\x7e]/gu, (char) => `&#${char.codePointAt(0)!};`);
}

/** Lines of `headingLines`, without two adjacent hyphens. */
export function xmlComment(lines: readonly string[]): readonly string[] {
  return ['<!--', ...lines.map((line) => `  ${line}`.trimEnd()), '-->'];
}
