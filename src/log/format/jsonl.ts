// JSON Lines: an object a line, fields by name; fields of nested objects by path (`request.uri`).
import { decodeText, encodeText } from '../../base/bytes.js';
import { createColumnReader, type Column, type ColumnNames, type Meaning } from './column.js';
import { NOT_IN_FORMAT, setSpan, type Fields, type LineFormat } from './format.js';
import { parseRequest } from './request.js';
import { setSketch, setValue } from './table.js';

const MAX_NAMES = 10_000;

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
  return {
    name: 'jsonl',
    parse(bytes, start, end, fields) {
      const value = parseJson(decodeText(bytes, start, end));
      if (!isObject(value)) return NOT_IN_FORMAT;
      const found = new Map<Column, { rank: number; text: string }>();
      collect(value, '', remembered, found);
      return setFields(found, fields);
    },
  };
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
  found: Map<Column, { rank: number; text: string }>,
): void {
  for (const [key, value] of Object.entries(object)) {
    if (isObject(value)) {
      if (prefix === '') collect(value, `${key}.`, meaningOf, found);
      continue;
    }
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const meaning = meaningOf(prefix + key);
    if (meaning === null || meaning.rank >= (found.get(meaning.column)?.rank ?? Infinity)) continue;
    found.set(meaning.column, { rank: meaning.rank, text: String(value) });
  }
}

function setFields(found: ReadonlyMap<Column, { readonly text: string }>, fields: Fields): string | null {
  for (const [column, { text }] of found) {
    if (column === 'time' || (column === 'request' && found.has('url'))) continue;
    if (column === 'method' || column === 'status' || column === 'size') {
      const cause = setValue(column, text, fields);
      if (cause !== null) return cause;
      continue;
    }
    const bytes = Buffer.from(encodeText(text));
    if (column === 'url') setSpan(fields.url, bytes, 0, bytes.length);
    else if (column === 'host') setSpan(fields.host, bytes, 0, bytes.length);
    else if (column === 'sketch') setSketch(fields.sketch, bytes, 0, bytes.length);
    else parseRequest(bytes, 0, bytes.length, fields);
  }
  return null;
}
