// Which records are wanted? For commands that read logs.
import { group, type FlagsOf } from './option.js';

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
