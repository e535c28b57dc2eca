// Which part of a list is used? For commands that learn, validate and measure.
import { UserError } from '../../base/error.js';
import { partOfText, type Part } from '../../mine/part-text.js';
import { group, type FlagsOf } from './option.js';

/** Throws a UserError for anything else than `2/4`. */
export function parsePart(text: string, name: string): Part {
  const part = partOfText(text);
  if (part !== undefined) return part;
  throw new UserError(`${name}: got "${text}", expected k/n, a part and how many there are, such as 2/4`);
}

export const PART_OPTIONS = group('Which lines count:', {
  partOfContents: {
    kind: 'parsed',
    flags: '--part-of-contents <k/n>',
    text: 'only part k of n of the list, such as 1/2, by digest or sketch, else by URL: to train, validate and test apart',
    parse: parsePart,
  },
});

export type PartFlags = FlagsOf<typeof PART_OPTIONS>;
