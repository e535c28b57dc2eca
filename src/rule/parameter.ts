// What does a parameter rule do to a URL (SPEC 7), and where does it hold?
//
// A scope is the whole site, or a prefix of URLs without scheme, or one such path to its end before `;` or `?`:
//
//   site                                    every URL of the site
//   prefix  //www.example.com/forum/        as long as the host is one of several, the ladder has a step for it
//   path    //www.example.com/forum/list    `/forum/list?…` and `/forum/list;…` of that host
//   prefix  /forum/                         on any host, and in logs without hosts
import { SLASH } from '../base/ascii.js';
import { encodeText, isText } from '../base/bytes.js';
import { emptyFields, splitFields, withoutParameter, withParameter } from '../url/fields.js';
import { hostStart, pathStart } from '../url/form.js';
import type { ParameterRule } from './rule.js';

export type ParameterAction = Pick<ParameterRule, 'name' | 'action' | 'value' | 'scope' | 'path'>;

/** A parameter rule, compiled to be applied to very many URLs. */
export interface FieldEdit {
  readonly kind: 'parameter';
  readonly name: Uint8Array;
  readonly action: 'remove' | 'set';
  readonly value: Uint8Array | null;
  readonly scope: ParameterRule['scope'];
  readonly path: Uint8Array;
}

export function compileParameter({ name, action, value, scope, path }: ParameterAction): FieldEdit {
  const bytes = value === null ? null : encodeText(value);
  return { kind: 'parameter', name: encodeText(name), action, value: bytes, scope, path: encodeText(path) };
}

const fields = emptyFields();

/** The image of `url`, or `url` itself, the same object, if the rule changes nothing. */
export function editFields(edit: FieldEdit, url: Uint8Array): Uint8Array {
  if (!isInScope(edit, url)) return url;
  splitFields(url, fields);
  if (edit.action === 'remove') return withoutParameter(url, fields, edit.name);
  return withParameter(url, fields, edit.name, edit.value);
}

export function isInScope(
  { scope, path }: Pick<FieldEdit, 'scope' | 'path'>,
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
): boolean {
  if (scope === 'site') return true;
  const at = scopeStart(path, bytes, start, end);
  const stop = at + path.length;
  if (at < 0 || stop > end || !isText(bytes, at, stop, path)) return false;
  return scope === 'prefix' || stop === end || bytes[stop] === 0x3b || bytes[stop] === 0x3f;
}

/**
 * Where a scope is matched in the URL bytes[start, end): at its `//host`, or at its path; -1 if the URL has no such
 * place.
 */
function scopeStart(path: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const host = hostStart(bytes, start, end);
  if (path[0] === SLASH && path[1] === SLASH && host > 0) return host - 2;
  return path[0] === SLASH && path[1] === SLASH ? -1 : pathStart(bytes, start, end);
}
