// The fields of a URL (SPEC 7).
//
//   http://h/forum;jsessionid=F3/list;v=2?id=7&sid=a;sort&&=x
//                 |             |        |    |     |    ||
//                 path parameter|        first query field
//                               path parameter     bare  empty, without name
//
// A path parameter is `;name=value` up to the next `;` or `/`. The query begins after the first `?`. Its fields are
// separated by `&` and `;`, so a `?` inside a value (a nested URL) means nothing. A query of one field without `=`, as
// in `title.cgi?2172`, has no parameter, and a field without a name is none.
import { isText, sameBytes } from '../base/bytes.js';
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { pathStart as findPath } from './form.js';

/** The fields of one URL, as offsets into it. Allocated once and refilled for each URL. */
export interface Fields {
  /** The number of fields: path parameters, then query fields, including empty ones and those without a name. */
  count: number;
  /** The index of the first query field. */
  firstInQuery: number;
  /** Offset of the path, and of the first `?` or the end. */
  pathStart: number;
  queryStart: number;
  /** A field is [start, end), its separator at start - 1; its name is [start, nameEnd). */
  start: Int32Array;
  nameEnd: Int32Array;
  end: Int32Array;
  /** True for a query that has no parameter: a single field without `=`. */
  isBareQuery: boolean;
}

export function emptyFields(): Fields {
  const column = () => new Int32Array(16);
  const places = { firstInQuery: 0, pathStart: 0, queryStart: 0, isBareQuery: false };
  return { count: 0, ...places, start: column(), nameEnd: column(), end: column() };
}

/** Fills `fields` from a raw URL without fragment. Its path begins at `path`, and it ends at `end`. */
export function splitFields(url: Uint8Array, fields: Fields, path = findPath(url), end = url.length): Fields {
  fields.count = 0;
  fields.pathStart = fields.queryStart = path;
  while (fields.queryStart < end && url[fields.queryStart] !== QUESTION) fields.queryStart++;
  splitPath(url, fields);
  fields.firstInQuery = fields.count;
  fields.isBareQuery = false;
  if (fields.queryStart < end) splitQuery(url, fields, end);
  return fields;
}

function splitPath(url: Uint8Array, fields: Fields): void {
  const { pathStart, queryStart } = fields;
  for (let at = pathStart; at < queryStart; at++) {
    if (url[at] !== SEMICOLON) continue;
    let end = at + 1;
    let equals = -1;
    for (; end < queryStart && url[end] !== SEMICOLON && url[end] !== SLASH; end++) {
      if (url[end] === EQUALS && equals < 0) equals = end;
    }
    if (equals > at + 1) addField(fields, at + 1, equals, end);
    at = end - 1;
  }
}

function splitQuery(url: Uint8Array, fields: Fields, stop: number): void {
  let filled = 0;
  let hasEquals = false;
  for (let start = fields.queryStart + 1; start <= stop;) {
    let end = start;
    let equals = -1;
    for (; end < stop && url[end] !== AMPERSAND && url[end] !== SEMICOLON; end++) {
      if (url[end] === EQUALS && equals < 0) equals = end;
    }
    if (end > start) filled++;
    if (equals >= 0) hasEquals = true;
    addField(fields, start, equals < 0 ? end : equals, end);
    start = end + 1;
  }
  fields.isBareQuery = filled === 1 && !hasEquals;
}

function addField(fields: Fields, start: number, nameEnd: number, end: number): void {
  if (fields.count === fields.start.length) {
    for (const column of ['start', 'nameEnd', 'end'] as const) {
      const wider = new Int32Array(2 * fields.count);
      wider.set(fields[column]);
      fields[column] = wider;
    }
  }
  fields.start[fields.count] = start;
  fields.nameEnd[fields.count] = nameEnd;
  fields.end[fields.count++] = end;
}

/** True if field `at` is a parameter: it has a name, and is not a bare query. */
export function isParameter(fields: Fields, at: number): boolean {
  return fields.nameEnd[at]! > fields.start[at]! && !(fields.isBareQuery && at >= fields.firstInQuery);
}

/** True if field `at` is a parameter with this name, byte for byte. */
export function hasName(url: Uint8Array, fields: Fields, at: number, name: Uint8Array): boolean {
  return isText(url, fields.start[at]!, fields.nameEnd[at]!, name) && isParameter(fields, at);
}

/**
 * The URL without any parameter of this name. Returns the same object if there is none. The remaining non-empty query
 * fields keep their separators, except the first, which follows `?`; if none remains, the `?` goes too.
 */
export function withoutParameter(url: Uint8Array, fields: Fields, name: Uint8Array): Uint8Array {
  if (firstOf(url, fields, name) < 0) return url;
  return withoutFields(url, fields, (field) => hasName(url, fields, field, name));
}

/** {@link withoutParameter} for several names at once: removes the parameters for which `goes` is true. */
export function withoutFields(url: Uint8Array, fields: Fields, goes: (field: number) => boolean): Uint8Array {
  return rewriteFields(url, fields, goes, { field: -1, value: null });
}

/**
 * The URL with the value of the first parameter of this name replaced, and further ones removed. With null, the
 * parameter loses its `=` and value.
 */
export function withParameter(url: Uint8Array, fields: Fields, name: Uint8Array, value: Uint8Array | null): Uint8Array {
  const first = firstOf(url, fields, name);
  if (first < 0) return url;
  const goes = (field: number) => field !== first && hasName(url, fields, field, name);
  const image = rewriteFields(url, fields, goes, { field: first, value });
  return sameBytes(image, url) ? url : image;
}

/** Removes the fields for which `goes` is true, and replaces the value of one field. */
function rewriteFields(
  url: Uint8Array,
  fields: Fields,
  goes: (field: number) => boolean,
  set: { readonly field: number; readonly value: Uint8Array | null },
): Uint8Array {
  const { start, nameEnd, end, firstInQuery } = fields;
  const out = new Uint8Array(url.length + (set.value?.length ?? 0) + 1);
  let length = 0;
  const copy = (from: number, to: number) => {
    for (let at = from; at < to; at++) out[length++] = url[at]!;
  };
  const put = (field: number) => {
    if (field !== set.field) return copy(start[field]!, end[field]!);
    copy(start[field]!, nameEnd[field]!);
    if (set.value === null) return;
    out[length++] = EQUALS;
    for (const byte of set.value) out[length++] = byte;
  };
  let at = 0;
  for (let field = 0; field < firstInQuery; field++) {
    if (field !== set.field && !goes(field)) continue;
    copy(at, start[field]! - 1);
    at = end[field]!;
    if (field !== set.field) continue;
    out[length++] = SEMICOLON;
    put(field);
  }
  copy(at, fields.queryStart);
  let drops = false;
  for (let field = firstInQuery; field < fields.count; field++) drops ||= goes(field);
  let kept = 0;
  for (let field = firstInQuery; field < fields.count; field++) {
    if (drops && (end[field] === start[field] || goes(field))) continue;
    out[length++] = kept++ === 0 ? QUESTION : url[start[field]! - 1]!;
    put(field);
  }
  return out.subarray(0, length);
}

function firstOf(url: Uint8Array, fields: Fields, name: Uint8Array): number {
  for (let field = 0; field < fields.count; field++) if (hasName(url, fields, field, name)) return field;
  return -1;
}
