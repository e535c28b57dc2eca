// Which records are wanted? For commands that read logs.
import { group, type FlagsOf } from './option.js';

export const FILTER_OPTIONS = group('Which lines count:', {
  since: {
    kind: 'when',
    flags: '--since <when>',
    text: 'leave out what came before: 2026-11-01, 2026-11-01T12:00 (UTC), 7d or 24h ago',
    isHarmless: true,
    inLibrary: true,
  },
  until: {
    kind: 'when',
    flags: '--until <when>',
    text: 'leave out what came after: a day with all of it, a time, or so long ago',
    isHarmless: true,
    inLibrary: true,
  },
  host: {
    kind: 'repeated',
    flags: '--host <glob>',
    text: 'only this host, as in *.example.com',
    isHarmless: true,
    inLibrary: true,
  },
  include: {
    kind: 'repeated',
    flags: '--include <glob>',
    text: "only these paths, as in '/shop/**' or '*.html'",
    isHarmless: true,
    inLibrary: true,
  },
  exclude: {
    kind: 'repeated',
    flags: '--exclude <glob>',
    text: "none of these paths, as in '/admin/'",
    isHarmless: true,
    inLibrary: true,
  },
  onlyDocuments: {
    kind: 'switch',
    flags: '--only-documents',
    text: 'no pictures, styles, scripts, fonts, media, archives, by the ending of the path',
    isHarmless: true,
    inLibrary: true,
  },
  bots: {
    kind: 'word',
    flags: '--bots <which>',
    text: 'what bots asked for, by user agent',
    words: ['all', 'only', 'none'],
    standard: 'all',
    isHarmless: true,
    inLibrary: true,
  },
});

export type FilterFlags = FlagsOf<typeof FILTER_OPTIONS>;
