// What is said of the part of a list that --part-of-contents has left.
import type { PartOfContents } from '../../../mine/part-of-contents.js';
import { textOfPart, type Part } from '../../../mine/part-text.js';

/** Lines with their ends; nothing if the whole list is used. */
export function partReport(part: Part | undefined, counts: PartOfContents | undefined): string {
  if (part === undefined || counts === undefined) return '';
  const { kept, records, labelled } = counts;
  const byUrl = labelled > 0 || records === 0 ? '' : BY_URL;
  return `part ${textOfPart(part)} of the contents: ${kept} of ${records}\n${byUrl}`;
}

const BY_URL =
  'no record has a digest or sketch, so the list was split by URL, which takes most duplicates apart: ' +
  'split it by time, with --until and --since\n';
