// What does a parameter rule do to a URL (SPEC 7), and where does it hold?
//
// A scope is the whole site, or a prefix of URLs without scheme, or one such path to its end before `;` or `?`:
//
//   site                                    every URL of the site
//   prefix  //www.example.com/forum/        as long as the host is one of several, the ladder has a step for it
//   path    //www.example.com/forum/list    `/forum/list?…` and `/forum/list;…` of that host
//   prefix  /forum/                         on any host, and in logs without hosts
import { encodeText } from '../base/bytes.js';
import { emptyFields, splitFields, withoutParameter, withParameter } from '../url/fields.js';
import { hostStart } from '../url/form.js';
import type { ParameterRule } from './rule.js';

export type ParameterAction = Pick<ParameterRule, 'name' | 'action' | 'value' | 'scope' | 'path'>;

/** A parameter rule made ready to be applied to very many URLs. */
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

/** The image of `url`, or `url` itself, the same object, where the rule changes nothing. */
export function editFields(edit: FieldEdit, url: Uint8Array): Uint8Array {
  if (!isInScope(edit, url)) return url;
  splitFields(url, fields);
  if (edit.action === 'remove') return withoutParameter(url, fields, edit.name);
  return withParameter(url, fields, edit.name, edit.value);
}

const SLASH = 0x2f;

export function isInScope({ scope, path }: Pick<FieldEdit, 'scope' | 'path'>, url: Uint8Array): boolean {
  if (scope === 'site') return true;
  const at = scopeStart(path, url);
  const end = at + path.length;
  if (at < 0 || end > url.length) return false;
  for (let k = 0; k < path.length; k++) if (url[at + k] !== path[k]) return false;
  return scope === 'prefix' || end === url.length || url[end] === 0x3b || url[end] === 0x3f;
}

/** Where in the URL a scope is looked for: at its `//host`, or at its path. -1 where it has no such place. */
function scopeStart(path: Uint8Array, url: Uint8Array): number {
  const host = hostStart(url);
  if (path[0] === SLASH && path[1] === SLASH && host > 0) return host - 2;
  if (path[0] === SLASH && path[1] === SLASH) return -1;
  if (host < 0) return 0;
  let at = host;
  while (at < url.length && url[at] !== SLASH && url[at] !== 0x3f) at++;
  return at;
}
