// Which prefixes do the lines of an input have, and which format is behind them? Each combination of prefixes that most
// of the first lines have is tried. That under which most lines can be read wins; a line from which the format would
// take a piece of the prefix for a host or a client counts half.
import { QUOTE, SLASH } from '../../base/ascii.js';
import { type AnyFormat, clearFields, createFields, HEADER, type LineFormat } from '../format/format.js';
import { METHOD } from '../record.js';
import { MOST_PREFIXES } from './behind.js';
import { skipPattern } from './pattern.js';
import { isHostOrNone, isWhole } from './plausible.js';
import { patternOf, PREFIX_NAMES, type PrefixName } from './prefixes.js';

export interface Found {
  readonly format: AnyFormat;
  readonly prefixes: readonly PrefixName[];
  /** The lines behind the prefixes. */
  readonly lines: readonly Buffer[];
  /** Twice the number of lines that can be read. */
  readonly fit: number;
}

export interface FormatFinder {
  /** The format of these lines, if they are in one. */
  nameOf(lines: readonly Buffer[]): AnyFormat | null;
  open(name: AnyFormat): LineFormat;
}

/** Formats whose lines have no prefixes: a prefix would be a part of their first cell or URL. */
const WITHOUT_PREFIXES: readonly AnyFormat[] = ['csv', 'tsv', 'sitemap', 'har', 'parquet', 'urls'];
const TABLES = WITHOUT_PREFIXES.slice(0, -1);

/** Null if the lines are in no format. Of two that explain as many lines, the one with fewer prefixes is found. */
export function findPrefixes(lines: readonly Buffer[], finder: FormatFinder): Found | null {
  const bare = read({ lines, prefixes: [] }, finder);
  let best = bare;
  if (bare !== null && TABLES.includes(bare.format)) return bare;
  let level: readonly Stripped[] = [{ lines, prefixes: [] }];
  for (let depth = 0; depth < MOST_PREFIXES && best?.fit !== 2 * lines.length; depth++) {
    level = level.flatMap((one) => behindOneMore(one, lines.length));
    for (const one of level) {
      const found = read(one, finder);
      if (found !== null && found.fit > (best?.fit ?? 0) && !WITHOUT_PREFIXES.includes(found.format)) best = found;
    }
  }
  return best;
}

/** Lines that have these prefixes, without them. */
type Stripped = Pick<Found, 'lines' | 'prefixes'>;

/** The same lines behind one prefix more, for each that most of the first lines of the input have. */
function behindOneMore({ lines, prefixes }: Stripped, voters: number): Stripped[] {
  return PREFIX_NAMES.flatMap((name) => {
    const stripped = withoutPrefix(lines, name);
    return 2 * stripped.length < voters ? [] : [{ lines: stripped, prefixes: [...prefixes, name] }];
  });
}

function withoutPrefix(lines: readonly Buffer[], name: PrefixName): Buffer[] {
  return lines.flatMap((line) => {
    const at = skipPattern(patternOf(name), line, 0, line.length);
    return at <= 0 || at === line.length ? [] : [line.subarray(at)];
  });
}

function read({ lines, prefixes }: Stripped, finder: FormatFinder): Found | null {
  const format = finder.nameOf(lines);
  if (format === null) return null;
  const fit = TABLES.includes(format) ? 0 : fitOf(finder.open(format), lines);
  return { format, prefixes, lines, fit };
}

function fitOf(format: LineFormat, lines: readonly Buffer[]): number {
  const fields = createFields();
  const { client } = fields;
  return lines.reduce((sum, line) => {
    clearFields(fields);
    const cause = format.parse(line, 0, line.length, fields);
    if (cause === HEADER) return sum + 2;
    if (cause !== null) return sum;
    // A list of paths takes any text that begins with a slash, such as the name of a file.
    if (format.name === 'urls')
      return sum + (line.includes(QUOTE) ? 0 : fields.url.bytes[fields.url.start] === SLASH ? 1 : 2);
    const isAll = fields.method !== METHOD.missing && isWhole(format.name, line, 0, line.length, fields);
    return sum + (isAll && isHostOrNone(client.bytes, client.start, client.end) ? 2 : 1);
  }, 0);
}
