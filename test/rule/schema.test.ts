// The schema and the interfaces of a rules file agree. The compiler checks it (`npm run check`): a field that only one
// of them has, or a different type, is an error at `same`.
import { expect, it } from 'vitest';
import type { LocalEntry } from '../../src/rule/local.js';
import type { localRulesSchema } from '../../src/rule/local-schema.js';
import type { RulesFile } from '../../src/rule/rule.js';
import { kinds, rulesFileSchema, says } from '../../src/rule/schema.js';

/** What a schema allows, as a type. */
type Allowed<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly then: infer T; readonly else: infer E }
      ? Allowed<T> | Allowed<E>
      : S extends { readonly type: infer T }
        ? OfType<T, S>
        : never;

type OfType<T, S> = T extends readonly (infer Each)[]
  ? Each extends string
    ? OfType<Each, S>
    : never
  : T extends 'object'
    ? OfFields<S>
    : T extends 'array'
      ? OfItems<S>
      : T extends keyof Scalars
        ? Scalars[T]
        : never;

interface Scalars {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
}

type OfFields<S> = S extends { readonly properties: infer P }
  ? { readonly [N in keyof P as N extends Required<S> ? N : never]: Allowed<P[N]> } & {
      readonly [N in keyof P as N extends Required<S> ? never : N]?: Allowed<P[N]>;
    }
  : S extends { readonly additionalProperties: infer V }
    ? { readonly [name: string]: Allowed<V> }
    : never;

type Required<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type OfItems<S> = S extends { readonly minItems: 2; readonly maxItems: 2; readonly items: infer I }
  ? readonly [Allowed<I>, Allowed<I>]
  : S extends { readonly minItems: 3; readonly maxItems: 3; readonly items: infer I }
    ? readonly [Allowed<I>, Allowed<I>, Allowed<I>]
    : S extends { readonly items: infer I }
      ? readonly Allowed<I>[]
      : never;

/** The same type without names and intersections, so that only its structure counts. */
type Plain<T> = T extends object ? { [N in keyof T]: Plain<T[N]> } : T;

type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

const same: Same<RulesFile, Allowed<typeof rulesFileSchema>> = true;
const sameLocal: Same<LocalEntry, Allowed<(typeof localRulesSchema)['properties']['rules']['items']>> = true;

it('has the interfaces of rules and local rules, and the identifying fields of each kind', () => {
  expect([same, sameLocal]).toEqual([true, true]);
  expect(Object.keys(says)).toEqual(kinds);
});
