// How is text written in XML? As printable ASCII, with numeric references for all other characters.

/**
 * Escapes text for an element or for an attribute in double quotes. Expects no control characters and no lone
 * surrogates.
 */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]|[^\x20-\x7e]/gu, (char) => `&#${char.codePointAt(0)!};`);
}

/** `lines` come from `headingLines`, which never has two adjacent hyphens. */
export function xmlComment(lines: readonly string[]): readonly string[] {
  return ['<!--', ...lines.map((line) => `  ${line}`.trimEnd()), '-->'];
}
