// How are rules validated? For `validate` and for `mine --fetch`.
import { type FlagsOf, group } from './option.js';
import { parseDuration } from './parse.js';

export const VALIDATION_OPTIONS = group('Validating:', {
  pages: {
    kind: 'list',
    flags: '--pages <file...>',
    text: 'take pages from WARC files, or from lists of sketch, instead of the network',
  },
  bySketch: {
    kind: 'switch',
    flags: '--by-sketch',
    text: 'compare the sketches or digests of the URL list, and fetch nothing',
  },
  stop: {
    kind: 'word',
    flags: '--stop <rule>',
    text: 'how to decide when a rule has enough samples',
    words: ['sequential', 'fixed'],
    standard: 'sequential',
  },
  N: {
    kind: 'number',
    flags: '--N <n>',
    text: 'maximum number of samples per rule',
    min: 1,
    max: 100_000,
    standard: 100,
  },
  epsilon: {
    kind: 'number',
    flags: '--epsilon <share>',
    text: 'refutation threshold of --stop fixed',
    min: 0,
    max: 1,
    fraction: true,
    standard: 0.05,
  },
  minSamples: {
    kind: 'number',
    flags: '--min-samples <n>',
    text: 'a rule with fewer samples stays likely',
    min: 1,
    standard: 3,
  },
  seed: {
    kind: 'number',
    flags: '--seed <n>',
    text: 'seed for drawing samples',
    min: 0,
    max: 0xffff_ffff,
    standard: 1,
  },
  maxFetches: {
    kind: 'number',
    flags: '--max-fetches <n>',
    text: 'maximum number of requests',
    min: 0,
    standard: 10_000,
  },
  budget: {
    kind: 'number',
    flags: '--budget <n>',
    text: 'continue where the last night stopped, with at most n new requests, and check old verdicts again',
    min: 1,
  },
  audit: {
    kind: 'number',
    flags: '--audit <n>',
    text: 'number of URLs to fetch with their canonical forms at the end; 0 for none',
    min: 0,
    max: 100_000,
    standard: 300,
  },
  rate: {
    kind: 'number',
    flags: '--rate <n>',
    text: 'requests per second to one host',
    min: 0.001,
    max: 10_000,
    fraction: true,
    standard: 1,
  },
  userAgent: {
    kind: 'text',
    flags: '--user-agent <text>',
    text: 'user agent to send; robots.txt is searched for its first name',
  },
  fetchCache: {
    kind: 'text',
    flags: '--fetch-cache <folder>',
    text: 'where to keep pages between runs, in unreadable form; "none" to keep none',
  },
  /** In seconds. */
  maxAge: {
    kind: 'parsed',
    flags: '--max-age <time>',
    text: 'how long a cached page may be used, such as 12h, 7d',
    parse: parseDuration,
    standard: 7 * 86_400,
    described: '7d',
  },
  allowPrivate: {
    kind: 'switch',
    flags: '--allow-private',
    text: 'also fetch from private and loopback addresses',
  },
  oneSite: {
    kind: 'list',
    flags: '--one-site <host...>',
    text: 'with --base: other hosts of the site that may be requested; for rules of all sites: the hosts that are one site',
  },
  action: {
    kind: 'list',
    flags: '--action <word...>',
    text: 'more words that mark a URL as an action, which is never requested',
  },
  trackers: {
    kind: 'list',
    flags: '--trackers <file...>',
    text: 'ask first about the parameters of a list: rules of ClearURLs (JSON), or AdGuard ($removeparam)',
  },
  resolve: {
    kind: 'list',
    flags: '--resolve <host=address...>',
    text: 'use this address for the host instead of asking a name server',
  },
  trace: {
    kind: 'switch',
    flags: '--trace',
    text: 'report each question to the site as it is answered: requests, answer, forms saved',
  },
  dryRun: {
    kind: 'switch',
    flags: '--dry-run',
    text: 'print what would be requested, by kind of URL and host, and request nothing',
  },
});

export type ValidationFlags = FlagsOf<typeof VALIDATION_OPTIONS> & {
  /** True for `validate --audit N`: run the audit alone. */
  readonly auditAlone?: boolean;
  /** With `--base`: the hosts of `--one-site`, which may be requested too. */
  readonly moreHosts?: readonly string[];
};
