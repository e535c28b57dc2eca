import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFew } from '../amount.js';
import { compileSchema } from '../../src/rule/conform.js';
import { writeRules } from '../../src/rule/file.js';
import { brief } from '../../src/rule/json.js';
import { rulesFileSchema } from '../../src/rule/schema.js';
import { sampleAudit, sampleFile, sampleParameter, sampleRule } from './sample.js';

const verdict = {
  source: 'live',
  positive: 3,
  negative: 0,
  unjudged: { 'u: status': 1 },
  undecided: 'budget',
  positives: [['/a', '/b']],
  negatives: [['/a', '/b', 'why']],
} as const;
const night = '2026-11-21';
const history = {
  firstSeen: night,
  lastSupported: night,
  lastValidated: night,
  lastTried: night,
  verdictSince: night,
  visits: 2,
  changes: 1,
  days: 9,
  retired: { night, pair: ['/a', '/b', 'why'], failures: 1, retryFrom: night },
} as const;
const audit = sampleAudit({ failures: [['/u', '/v', 'why']] });
const file = sampleFile(
  [
    sampleRule('a', 'b', { verdict, except: ['/x'] }),
    sampleParameter('sid', { rank: 2, pin: 'local', veto: true, note: 'why', history }),
  ],
  {
    night: '2026-11-21',
    inputs: [{ name: 'x', format: 'urls', lines: 3, records: 3, dropped: { a: 1 }, rejected: {}, truncated: false }],
    validation: { source: 'live', stop: 'fixed', N: 10, epsilon: 0.1, minSamples: 2, seed: 1, audit },
  },
);
const text = [...writeRules(file)].join('');

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Every path in a JSON value that can be changed. */
function places(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, one]) => places(one, [...path, name]))];
}

function change(value: Json, path: readonly string[], to: (old: Json) => Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return to(value) ?? null;
  const old = (value as Record<string, Json>)[name]!;
  const changed = rest.length === 0 ? to(old) : change(old, rest, to);
  const copy = structuredClone(value) as Record<string, Json>;
  if (changed === undefined) delete copy[name];
  else copy[name] = changed;
  return Array.isArray(value) ? Object.values(copy) : copy;
}

/** Our message for an error that ajv found. */
function faultOf({ keyword, params, message, data }: ErrorObject): string {
  const { missingProperty, additionalProperty, allowedValues, allowedValue } = params as Record<string, unknown>;
  switch (keyword) {
    case 'required':
      return `the field "${String(missingProperty)}" is missing`;
    case 'additionalProperties':
      return `the field "${String(additionalProperty)}" is unknown to version 1`;
    case 'enum':
      return `got ${brief(data)}, expected one of ${(allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `got ${brief(data)}, expected ${JSON.stringify(allowedValue)}`;
    default:
      return `got ${brief(data)}, which ${message!}`;
  }
}

describe('what conforms to the schema of a rules file', () => {
  const whole = JSON.parse(text) as Json;
  const check = compileSchema(rulesFileSchema);
  const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true, verbose: true }).compile(rulesFileSchema);

  it('is what was written', () => expect(check(whole)).toBeUndefined());

  it.skipIf(isFew)(
    'is what ajv accepts, with errors at the same place for the same reason, whatever is changed, removed or added',
    () => {
      const other = fc.oneof<fc.Arbitrary<Json>[]>(
        fc.constantFrom(null, true, 0, 1, -1, 0.5, 2, '', 'live', 'parameter', 'substring', 'none', '__proto__', 'é'),
        fc.constantFrom<Json[]>([], {}, [''], ['a', 'b'], ['a', 'b', 'c'], { a: 1 }, { a: -1 }, [['a', 'b']]),
      );
      const edit = fc.oneof(
        other.map((value) => () => value),
        fc.constant(() => undefined),
        fc.tuple(fc.constantFrom('x', 'kind', 'undecided', 'toString'), other).map(([name, value]) => (old: Json) => {
          if (Array.isArray(old)) return [...old, value];
          return typeof old === 'object' && old !== null ? { ...old, [name]: value } : value;
        }),
      );
      const counts = { right: 0, wrong: 0 };
      const faults = new Set<string>();
      fc.assert(
        fc.property(fc.constantFrom(...places(whole)), edit, (path, to) => {
          const value = change(whole, path, to);
          const mismatch = check(value);
          const isRight = mismatch === undefined;
          expect(isRight).toBe(ajv(value));
          counts[isRight ? 'right' : 'wrong']++;
          if (mismatch === undefined) return;
          const { pointer, fault } = mismatch;
          expect((ajv.errors ?? []).map((one) => `${one.instancePath} ${faultOf(one)}`)).toContain(
            `${pointer} ${fault}`,
          );
          faults.add(/the field|expected one|expected|must NOT have \w+|must be \D\S*/.exec(fault)![0]);
        }),
        { numRuns: 5000, seed: 2 },
      );
      expect(counts.right).toBeGreaterThan(200);
      expect(counts.wrong).toBeGreaterThan(2000);
      const seen = [
        'the field',
        'expected',
        'expected one',
        'must be string,null',
        'must be >=',
        'must NOT have fewer',
      ];
      expect([...faults]).toEqual(expect.arrayContaining(seen));
    },
  );

  it('is not decided for a schema with an unknown keyword', () => {
    expect(() => compileSchema({ pattern: 'a' })).toThrow('pattern');
  });
});
