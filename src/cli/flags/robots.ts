// Which options does `robots` have?
import { FILTER_OPTIONS } from './filter.js';
import { baseOption, FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { type FlagsOf, group } from './option.js';
import { APPLY_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';

const { since, until, host } = FILTER_OPTIONS;
const { memory } = machineOptions('');

export const ROBOTS_OPTIONS = {
  ...group('The log:', {
    log: {
      kind: 'list',
      flags: '--log <input...>',
      text: 'the requests: any input of mine; - is standard input',
      isRequired: true,
    },
    base: {
      kind: 'parsed',
      flags: '--base <url>',
      text: 'scheme and host for a log without them (default: what the rules were mined with)',
      parse: baseOption,
    },
    liveSince: {
      kind: 'when',
      flags: '--live-since <when>',
      text: 'the file is in force since then: 2026-11-01, 2026-11-01T12:00 (UTC), 7d or 24h ago (default: by the sizes of answers to /robots.txt)',
    },
  }),
  ...group('Rules:', {
    rules: {
      kind: 'text',
      flags: '-r, --rules <file>',
      text: 'rules that say which URLs have another form: crawlers have to see the redirect of these',
    },
  }),
  ...APPLY_OPTIONS,
  ...FORMAT_OPTIONS,
  since,
  until,
  host,
  ...group('Result:', {
    propose: {
      kind: 'text',
      flags: '--propose <report>',
      text: 'add lines for what a report has found (report --json), and try the longer file too',
    },
    check: {
      kind: 'switch',
      flags: '--check',
      text: 'for CI: one line a finding, and exit code 1 if there is any',
    },
    json: { kind: 'switch', flags: '--json', text: 'print the rehearsal as one JSON document' },
  }),
  memory: { ...memory, text: 'memory for the URLs of the log; further URLs are counted only as requests' },
};

export type RobotsFlags = FlagsOf<typeof ROBOTS_OPTIONS> & TerminalFlags;
