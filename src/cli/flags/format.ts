// How are inputs read? For every command that reads logs or URL lists.
import { parseBase } from '../../log/compose.js';
import { FORMAT_NAMES, PRODUCTS } from '../../log/format/format.js';
import { type FlagsOf, group } from './option.js';

export const FORMAT_OPTIONS = group('Reading:', {
  format: {
    kind: 'word',
    flags: '--format <name>',
    text: 'log format instead of detecting it',
    words: [...FORMAT_NAMES, ...(Object.keys(PRODUCTS) as (keyof typeof PRODUCTS)[])],
    isHarmless: true,
    inLibrary: true,
  },
  logFormat: {
    kind: 'text',
    flags: '--log-format <string>',
    text: "log format as in Apache's LogFormat or nginx's log_format, or a line of a configuration",
    isHarmless: true,
    inLibrary: true,
  },
  columns: {
    kind: 'text',
    flags: '--columns <map>',
    text: 'columns of CSV, TSV, JSON lines and Parquet by name, as in url=u,size=bytes; by number without a header; line=NAME is a log line inside of JSON',
    isHarmless: true,
  },
});

export type FormatFlags = FlagsOf<typeof FORMAT_OPTIONS>;

/**
 * The parser of `--base`, the scheme and host for logs without them. It checks the value where it is set, on the
 * command line, in a file or by a variable, so that no later message repeats a bad value. Throws a UserError for
 * anything but scheme and host.
 */
export function baseOption(text: string): string {
  parseBase(text);
  return text;
}
