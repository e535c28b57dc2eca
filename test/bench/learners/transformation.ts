// What does a rule do to the keys of a URL? It deletes a key, sets it to a value, or copies the value of another key;
// keys that it does not name stay (Dasgupta et al., KDD 2008: the t of a rule (c, t)).
import { deepTokensOf, type KeyValues } from './key-values.js';

export type Change =
  | { readonly kind: 'delete' }
  | { readonly kind: 'set'; readonly value: string }
  | { readonly kind: 'copy'; readonly from: string }
  /** Texts, and deep tokens of the URL one after the other. */
  | { readonly kind: 'join'; readonly parts: readonly (string | Deep)[] };

/** A token of the value of a key, counted from the start from 0 on, and from the end down from -1. */
export interface Deep {
  readonly key: string;
  readonly at: number;
}

export type Transformation = ReadonlyMap<string, Change>;

/** What makes `to` of `from`. A value that exactly one key of `from` has is copied from there. */
export function changesBetween(from: KeyValues, to: KeyValues): Transformation {
  const changes = new Map<string, Change>();
  for (const [key, value] of to) {
    if (from.get(key) === value) continue;
    const holders = value === '' ? [] : [...from].filter(([, other]) => other === value);
    changes.set(key, holders.length === 1 ? { kind: 'copy', from: holders[0]![0] } : { kind: 'set', value });
  }
  for (const key of from.keys()) if (!to.has(key)) changes.set(key, { kind: 'delete' });
  return changes;
}

/** Null where something is missing that is to be copied or deleted, or where nothing changes. */
export function transform(url: KeyValues, changes: Transformation): Map<string, string> | null {
  const result = new Map(url);
  let isChanged = false;
  for (const [key, change] of changes) {
    const value = valueBy(change, key, url);
    if (value === undefined) return null;
    if (change.kind === 'delete') result.delete(key);
    else result.set(key, value);
    isChanged ||= change.kind === 'delete' || url.get(key) !== value;
  }
  return isChanged ? result : null;
}

/** Of what is deleted, the value that it had. */
function valueBy(change: Change, key: string, url: KeyValues): string | undefined {
  switch (change.kind) {
    case 'delete':
      return url.get(key);
    case 'set':
      return change.value;
    case 'copy':
      return url.get(change.from);
    case 'join': {
      const parts = change.parts.map((part) =>
        typeof part === 'string' ? part : deepTokensOf(url.get(part.key) ?? '').at(part.at),
      );
      return parts.includes(undefined) ? undefined : parts.join('');
    }
  }
}

/** A value that is set, from deep tokens of the URL where exactly one token is equal. */
export function deepened(changes: Transformation, from: KeyValues): Transformation {
  const tokens = Array.from(from).flatMap(([key, value]) => {
    const all = deepTokensOf(value);
    return all.map((token, at) => ({ token, deep: { key, at: 2 * at + 1 < all.length ? at : at - all.length } }));
  });
  const partOf = (token: string): string | Deep => {
    const holders = /[A-Za-z0-9]/.test(token) ? tokens.filter((one) => one.token === token) : [];
    return holders.length === 1 ? holders[0]!.deep : token;
  };
  return new Map(
    Array.from(changes, ([key, change]): [string, Change] => {
      if (change.kind !== 'set') return [key, change];
      const parts = deepTokensOf(change.value).map(partOf);
      return [key, parts.some((part) => typeof part !== 'string') ? { kind: 'join', parts } : change];
    }),
  );
}

export function nameOf(changes: Transformation): string {
  return Array.from(changes, ([key, change]) => `${key}=${changeName(change)}`)
    .sort()
    .join(' ');
}

function changeName(change: Change): string {
  switch (change.kind) {
    case 'delete':
      return '';
    case 'set':
      return `"${change.value}"`;
    case 'copy':
      return `[${change.from}]`;
    case 'join':
      return change.parts.map((part) => (typeof part === 'string' ? `"${part}"` : `[${part.key}.${part.at}]`)).join('');
  }
}
