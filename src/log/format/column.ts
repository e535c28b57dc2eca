// Finds the columns (URL, size, …) among the freely named fields of tables and JSON. Either the user names them
// (`--columns url=u,size=bytes`), or a field has one of the usual names (./names), in the object of a request or in one
// around it.
import { UserError } from '../../base/error.js';
import { type Column, COLUMNS, ENVELOPES, type NameLists, USUAL_NAMES } from './names.js';

export { type Column, COLUMNS, type NameLists };

export type ColumnNames = Readonly<Record<string, string>>;

/** The column that a name means, and the rank of that evidence: less is stronger. */
export interface Meaning {
  readonly column: Column;
  readonly rank: number;
}

export type ColumnReader = (fieldName: string) => Meaning | null;

/** If the user named a column, it is found only under that name. */
export function createColumnReader(named: ColumnNames = {}, usualNames: NameLists = USUAL_NAMES): ColumnReader {
  checkNames(named);
  if (Object.keys(named).length > 0) return readerOf(named, usualNames);
  let reader = usualReaders.get(usualNames);
  if (reader === undefined) usualReaders.set(usualNames, (reader = readerOf(named, usualNames)));
  return reader;
}

/** Readers of usual names alone, by their lists: each format that is tried on a log asks for one. */
const usualReaders = new WeakMap<NameLists, ColumnReader>();

function readerOf(named: ColumnNames, usualNames: NameLists): ColumnReader {
  const exact = new Map<string, Meaning>();
  const usual = new Map<string, Meaning>();
  for (const column of COLUMNS) {
    const name = named[column];
    if (name !== undefined) exact.set(name, { column, rank: 0 });
    else usualNames[column]?.split(' ').forEach((usualName, rank) => usual.set(fold(usualName), { column, rank }));
  }
  return (fieldName) => exact.get(fieldName) ?? usual.get(fold(fieldName)) ?? inEnvelope(fieldName, usual);
}

/** Names in an envelope are weaker than all others. */
const IN_ENVELOPE = 1000;

function inEnvelope(fieldName: string, usual: ReadonlyMap<string, Meaning>): Meaning | null {
  const inner = fieldName.replace(ENVELOPES, '');
  const meaning = inner === fieldName ? undefined : usual.get(fold(inner));
  return meaning === undefined ? null : { column: meaning.column, rank: meaning.rank + IN_ENVELOPE };
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

/** True if columns are named by number: the position of a field in a table without header, from 1. */
export function isHeaderless(named: ColumnNames = {}): boolean {
  return isPlace(named['url']) || isPlace(named['request']);
}

function isPlace(name: string | undefined): boolean {
  return name !== undefined && /^[1-9]\d{0,3}$/.test(name);
}

function checkNames(named: ColumnNames): void {
  const name = isHeaderless(named) ? Object.entries(named).find((entry) => !isPlace(entry[1])) : undefined;
  if (name !== undefined) {
    throw new UserError(
      `--columns: got ${name[0]}=${name[1]} beside numbers; expected a number, from 1 on: a table without header has no names`,
    );
  }

  for (const column of Object.keys(named)) {
    if (COLUMNS.some((known) => known === column)) continue;
    throw new UserError(`--columns: got "${column}", which is no column; expected one of ${COLUMNS.join(', ')}`);
  }
}

/** A number as tables write it (`200`, `200.0`, `-5003`); -1 for "none", NaN for anything else. */
export function tableNumber(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '-') return -1;
  return /^-?\d+(\.0*)?$/.test(trimmed) ? Number(trimmed) : NaN;
}

/** A status in a field of its own. 0 means a fetch without an answer. */
export function tableStatus(text: string): number {
  const status = tableNumber(text);
  return status === -1 && text.trim().length > 1 ? 0 : status < -1 ? 0 : status;
}
