// Which lines of a robots.txt are kept? Some servers answer every request with a page, whose text is not kept.
//
// Only lines that begin like a rule, even a misspelt one, without their comments. The other lines are left empty, so
// that every rule keeps its number.

const rulePattern =
  /^(?:\xef\xbb\xbf)?[ \t]*(?:user[- ]?agent|d[a-z]{5,7}w|allow|crawl[- ]?delay)[a-z]*[ \t]*(?::|[ \t][^ \t]+[ \t]*$)/i;

/** Of bytes as Latin-1. */
export function ruleLines(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.split('#', 1)[0]!);
  return lines.map((line) => (rulePattern.test(line) ? line : '')).join('\n');
}
