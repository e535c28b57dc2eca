// JSON Lines: an object a line, fields by name; fields of nested objects by path (`request.uri`).
import { decodeText, encodeText } from '../../base/bytes.js';
import { METHOD } from '../record.js';
import { COLUMNS, createColumnReader, type Column, type ColumnNames, type Meaning } from './column.js';
import { NOT_IN_FORMAT, setSpan, type Fields, type LineFormat, type Span } from './format.js';
import { parseRequest } from './request.js';
import { setSketch, setValue } from './table.js';

const MAX_NAMES = 10_000;
const VALUES = ['method', 'status', 'size'] as const;

/** What a line holds of a column: by the field of the strongest name. */
interface Found {
  rank: number;
  value: string | number;
}

type Row = Record<Column, Found>;

export function createJsonLines(named?: ColumnNames): LineFormat {
  const meaningOf = createColumnReader(named);
  // Lines repeat their names. The cache is cleared when names come out of the data and never end.
  const known = new Map<string, Meaning | null>();
  const remembered = (name: string): Meaning | null => {
    let meaning = known.get(name);
    if (meaning !== undefined) return meaning;
    if (known.size >= MAX_NAMES) known.clear();
    meaning = meaningOf(name);
    known.set(name, meaning);
    return meaning;
  };
  const row = emptyRow();
  return {
    name: 'jsonl',
    parse(bytes, start, end, fields) {
      const value = parseJson(decodeText(bytes, start, end));
      if (!isObject(value)) return NOT_IN_FORMAT;
      for (const column of COLUMNS) row[column].rank = Infinity;
      collect(value, '', remembered, row);
      return setFields(row, fields);
    },
  };
}

function emptyRow(): Row {
  return Object.fromEntries(COLUMNS.map((column) => [column, { rank: Infinity, value: '' }])) as Row;
}

export function isJsonLine(line: string): boolean {
  return line.trimStart().startsWith('{') && isObject(parseJson(line));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no object, so the caller rejects the line
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of several fields that can be the same column the one of the strongest name is taken, one level down at the most. */
function collect(
  object: Record<string, unknown>,
  prefix: string,
  meaningOf: (name: string) => Meaning | null,
  row: Row,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value !== 'string' && typeof value !== 'number') {
      if (prefix === '' && isObject(value)) collect(value, `${key}.`, meaningOf, row);
      continue;
    }
    const meaning = meaningOf(prefix === '' ? key : prefix + key);
    if (meaning === null) continue;
    const found = row[meaning.column];
    if (meaning.rank >= found.rank) continue;
    found.rank = meaning.rank;
    found.value = value;
  }
}

function setFields(row: Row, fields: Fields): string | null {
  for (const column of VALUES) {
    const { rank, value } = row[column];
    if (rank === Infinity) continue;
    if (column !== 'method' && isCount(value)) fields[column] = value;
    else if (column === 'method' && value === 'GET') fields.method = METHOD.get;
    else {
      const cause = setValue(column, String(value), fields);
      if (cause !== null) return cause;
    }
  }
  const { url, request, host, sketch } = row;
  if (url.rank < Infinity) setText(fields.url, url.value);
  else if (request.rank < Infinity) {
    const bytes = encodeText(String(request.value));
    parseRequest(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, fields);
  }
  if (host.rank < Infinity) setText(fields.host, host.value);
  if (sketch.rank < Infinity) {
    const bytes = encodeText(String(sketch.value));
    setSketch(fields.sketch, bytes, 0, bytes.length);
  }
  return null;
}

/** A number that means itself, whichever of the values it is. */
function isCount(value: string | number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function setText(span: Span, value: string | number): void {
  const bytes = encodeText(String(value));
  setSpan(span, bytes, 0, bytes.length);
}
