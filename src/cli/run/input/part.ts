// What is said of the part of a list that --part-of-contents has left.
import type { PartOfContents } from '../../../mine/part-of-contents.js';
import { textOfPart, type Part } from '../../../mine/part-text.js';

/** A line with its end; nothing if the whole list is used. */
export function partReport(part: Part | undefined, counts: PartOfContents | undefined): string {
  if (part === undefined || counts === undefined) return '';
  return `part ${textOfPart(part)} of the contents: ${counts.kept} of ${counts.records}\n`;
}
