// Which records count, and which part of a list? For commands that read logs.
import { UserError } from '../../base/error.js';
import { type Part, partOfText } from '../../mine/part-text.js';
import { type FlagsOf, group } from './option.js';

export const FILTER_OPTIONS = group('Which lines count:', {
  since: {
    kind: 'when',
    flags: '--since <when>',
    text: 'skip records before this: 2026-11-01, 2026-11-01T12:00 (UTC), 7d or 24h ago',
    isHarmless: true,
    inLibrary: true,
  },
  until: {
    kind: 'when',
    flags: '--until <when>',
    text: 'skip records after this: a day (included), a time, or 7d, 24h ago',
    isHarmless: true,
    inLibrary: true,
  },
  host: {
    kind: 'repeated',
    flags: '--host <glob>',
    text: 'only this host, such as *.example.com',
    isHarmless: true,
    inLibrary: true,
  },
  include: {
    kind: 'repeated',
    flags: '--include <glob>',
    text: "only these paths, such as '/shop/**' or '*.html'",
    isHarmless: true,
    inLibrary: true,
  },
  exclude: {
    kind: 'repeated',
    flags: '--exclude <glob>',
    text: "none of these paths, such as '/admin/'",
    isHarmless: true,
    inLibrary: true,
  },
  onlyDocuments: {
    kind: 'switch',
    flags: '--only-documents',
    text: 'no images, styles, scripts, fonts, media, archives, by file extension',
    isHarmless: true,
    inLibrary: true,
  },
  bots: {
    kind: 'word',
    flags: '--bots <which>',
    text: 'requests of bots, by user agent',
    words: ['all', 'only', 'none'],
    standard: 'all',
    isHarmless: true,
    inLibrary: true,
  },
});

export type FilterFlags = FlagsOf<typeof FILTER_OPTIONS>;

/** Parses `2/4`. Throws a UserError for anything else. */
export function parsePart(text: string, name: string): Part {
  const part = partOfText(text);
  if (part !== undefined) return part;
  throw new UserError(`${name}: got "${text}", expected k/n, part k of n parts, such as 2/4`);
}

export const PART_OPTIONS = group('Which lines count:', {
  partOfContents: {
    kind: 'parsed',
    flags: '--part-of-contents <k/n>',
    text: 'only part k of n of the list, such as 1/2, by digest or sketch, else by URL: to keep training, validation and test apart',
    parse: parsePart,
  },
});

export type PartFlags = FlagsOf<typeof PART_OPTIONS>;
