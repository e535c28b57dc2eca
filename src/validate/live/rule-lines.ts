// Which lines of a robots.txt are kept? Some servers answer every request with a page, and its text must not be kept.
//
// Lines that begin like a rule, even a misspelt one, are kept without their comments. Other lines become empty, so that
// every rule keeps its line number.

const rulePattern =
  /^(?:\xef\xbb\xbf)?[ \t]*(?:user[- ]?agent|d[a-z]{5,7}w|allow|crawl[- ]?delay)[a-z]*[ \t]*(?::|[ \t][^ \t]+[ \t]*$)/i;

/** `text` has the bytes of the file as Latin-1. */
export function ruleLines(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.split('#', 1)[0]!);
  return lines.map((line) => (rulePattern.test(line) ? line : '')).join('\n');
}
