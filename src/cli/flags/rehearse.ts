// Which options does `rehearse` have?
import { REDIRECT_STATUSES } from '../../export/target.js';
import { baseOption, FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { type FlagsOf, group } from './option.js';
import { APPLY_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';
import { VALIDATION_OPTIONS } from './validation.js';

const { seed, maxFetches, rate, userAgent, maxAge, allowPrivate, action, oneSite, resolve } = VALIDATION_OPTIONS;

export const REHEARSE_OPTIONS = {
  ...group('Rehearsing:', {
    to: {
      kind: 'word',
      flags: '--to <server>',
      text: 'the server to start, which has to be installed',
      words: ['nginx', 'apache', 'varnish'],
    },
    base: {
      kind: 'parsed',
      flags: '--base <url>',
      text: 'scheme and host of the site, for URLs without them; others are left out (default: what the rules were mined with)',
      parse: baseOption,
    },
    urls: {
      kind: 'list',
      flags: '--urls <input...>',
      text: 'the URLs to replay: any input of mine (default: the logs that were mined)',
    },
    sample: {
      kind: 'number',
      flags: '--sample <n>',
      text: 'number of redirects to compare with the site, drawn uniformly',
      min: 1,
      max: 100_000,
      standard: 300,
    },
    status: {
      kind: 'word',
      flags: '--status <code>',
      text: 'status of the redirects in the export (default: 301)',
      words: REDIRECT_STATUSES,
    },
  }),
  ...group('Asking the site:', {
    seed,
    maxFetches,
    rate,
    userAgent,
    fetchCache: {
      kind: 'text',
      flags: '--fetch-cache <folder>',
      text: 'use the pages that earlier runs kept there, and keep those of this one (default: request every page again)',
    },
    maxAge,
    allowPrivate,
    action,
    oneSite: { ...oneSite, text: 'with --base: other hosts of the site that may be requested' },
    resolve,
  }),
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write the export of the rules that survived to FILE, complete or not at all',
      standard: '-',
    },
    veto: {
      kind: 'switch',
      flags: '--veto',
      text: 'veto rules that fail, so that later exports and canonize leave them out too',
    },
    json: { kind: 'switch', flags: '--json', text: 'print the report as one JSON document; needs -o FILE' },
  }),
  ...APPLY_OPTIONS,
  ...FORMAT_OPTIONS,
  ...machineOptions('threads for reading the list'),
};

export type RehearseFlags = FlagsOf<typeof REHEARSE_OPTIONS> & TerminalFlags;
