// Which options does `export` have?
import { REDIRECT_STATUSES } from '../../export/target.js';
import { targetNames } from '../../export/targets.js';
import { FILTER_OPTIONS } from './filter.js';
import { FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { group, type FlagsOf } from './option.js';
import { APPLY_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';

export const EXPORT_OPTIONS = {
  ...group('Result:', {
    to: {
      kind: 'word',
      flags: '--to <target>',
      text: 'the target software; --list describes each',
      words: targetNames,
    },
    status: {
      kind: 'word',
      flags: '--status <code>',
      text: 'status of the redirects of a server (default: 301); begin with 302, which browsers do not keep',
      words: REDIRECT_STATUSES,
    },
    link: {
      kind: 'switch',
      flags: '--link',
      text: 'for a server: announce the form in a header, Link: <form>; rel="canonical", and redirect nothing',
    },
    list: { kind: 'switch', flags: '--list', text: 'list the targets' },
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write to FILE, complete or not at all',
      standard: '-',
    },
    check: {
      kind: 'text',
      flags: '--check <file>',
      text: 'write nothing: report how an earlier export of parameters without effect differs from these rules',
    },
    log: {
      kind: 'list',
      flags: '--log <input...>',
      text: 'simulate a cache on these requests (any input of mine): its hit ratio before and after',
    },
    onlyDocuments: { ...FILTER_OPTIONS.onlyDocuments, text: 'with --log: of documents, no images, styles, scripts, …' },
    json: {
      kind: 'switch',
      flags: '--json',
      text: 'print on standard output which rules are exported and which are left out; needs -o FILE',
    },
    rule: {
      kind: 'list',
      flags: '--rule <id...>',
      text: 'only these rules: ids, as each fix of a report names them, or whatever veto takes',
    },
  }),
  ...group('The list:', {
    urls: {
      kind: 'list',
      flags: '--urls <input...>',
      text: 'count URLs with another form by the export than by canonize: any input of mine, such as the log',
    },
  }),
  ...APPLY_OPTIONS,
  ...FORMAT_OPTIONS,
  ...machineOptions('threads for reading the list'),
};

export type ExportFlags = FlagsOf<typeof EXPORT_OPTIONS> & TerminalFlags;
