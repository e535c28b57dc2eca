// The fast path of parameter rules, for URLs that have the parameter once in the query as `name=value`, or not at all:
// nearly all of them. These are changed while they are copied, without being split into fields. One pass over the bytes
// recognizes the others, which `url/fields.ts` handles.
//
//     /topic?t=7&sid=F3&page=2      set      /topic?t=7&sid=0&page=2      remove   /topic?t=7&page=2
//               |   |  | fieldEnd
//               |   nameEnd
//               found, its separator before it
import { isText } from '../base/bytes.js';
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON } from '../base/ascii.js';
import type { ByteBuffer } from '../base/buffer.js';
import { isInScope, type FieldEdit } from './parameter.js';

/**
 * Appends the image of the URL bytes[start, end), whose path begins at `path`, to `out`. False if there is none,
 * undefined if that cannot be decided without splitting the URL.
 */
export function appendEdit(
  edit: FieldEdit,
  bytes: Uint8Array,
  start: number,
  end: number,
  path: number,
  out: ByteBuffer,
): boolean | undefined {
  const { name, action, value } = edit;
  if (!isInScope(edit, bytes, start, end)) return false;
  let question = -1;
  let found = -1;
  let hasEmpty = false;
  for (let at = path; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUESTION && question < 0) question = at;
    else if (byte !== SEMICOLON && (byte !== AMPERSAND || question < 0)) continue;
    if (question >= 0 && isFieldEnd(bytes, at + 1, end)) hasEmpty = true;
    if (!standsAt(bytes, at + 1, end, name)) continue;
    if (question < 0 || found >= 0) return undefined;
    found = at + 1;
  }
  if (found < 0) return false;
  const nameEnd = found + name.length;
  if (name.length === 0 || bytes[nameEnd] !== EQUALS || nameEnd === end) return undefined;
  let fieldEnd = nameEnd;
  while (!isFieldEnd(bytes, fieldEnd, end)) fieldEnd++;

  let keptEnd = found - 1;
  let restStart = fieldEnd;
  let put: Uint8Array = nothing;
  if (action === 'set') {
    put = value ?? nothing;
    keptEnd = value === null ? nameEnd : nameEnd + 1;
    if (value !== null && isText(bytes, keptEnd, fieldEnd, value)) return false;
  } else {
    // Empty fields are removed together with the parameter; only the splitting path does that.
    if (hasEmpty) return undefined;
    if (keptEnd === question && fieldEnd < end) {
      keptEnd++;
      restStart++;
    }
  }
  out.add(bytes, start, keptEnd);
  out.add(put);
  out.add(bytes, restStart, end);
  return true;
}

const nothing = new Uint8Array(0);

function isFieldEnd(bytes: Uint8Array, at: number, end: number): boolean {
  return at >= end || bytes[at] === AMPERSAND || bytes[at] === SEMICOLON;
}

/** True if a field that begins at `at` may have that name. */
function standsAt(bytes: Uint8Array, at: number, end: number, name: Uint8Array): boolean {
  const nameEnd = at + name.length;
  if (nameEnd > end || !isText(bytes, at, nameEnd, name)) return false;
  return isFieldEnd(bytes, nameEnd, end) || bytes[nameEnd] === EQUALS;
}
