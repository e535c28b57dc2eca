// Does a value conform to a JSON Schema, and if not, what is wrong where? For rules files and local rules, in Node and
// in browsers.
//
// Code that ajv generates from the schema at build time would be 80 kB (9.9 kB gzipped), more than the whole canonizer
// for browsers, and would take as long to load as the whole canonizer; this file and the schema are 7 kB (2.8 kB). The
// tests compare both.
import { brief } from './json.js';

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The innermost place that can be named where a value does not conform to the schema. */
export interface Mismatch {
  /** A JSON pointer. */
  readonly pointer: string;
  /** What was got there, and what was expected. */
  readonly fault: string;
}

/** Undefined if the value conforms. */
export type Check = (value: unknown) => Mismatch | undefined;

/** Compiles a schema (draft 2020-12) to a check. Throws for a keyword that is unknown here. */
export function compileSchema(schema: Schema): Check {
  const checks: Check[] = [];
  for (const keyword of Object.keys(schema)) {
    const compile = keywords[keyword];
    if (compile === undefined) throw new Error(`unknown: ${keyword}`);
    if (compile !== nothing) checks.push(compile(schema[keyword], schema));
  }
  if (checks.length === 1) return checks[0]!;
  return (value) => {
    for (let k = 0; k < checks.length; k++) {
      const mismatch = checks[k]!(value);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  };
}

/** The check of a keyword, from its argument and the schema that contains it. */
type Keyword = (argument: unknown, schema: Schema) => Check;

const nothing: Keyword = () => () => undefined;

function got(value: unknown, expected: string): Mismatch {
  return here(`got ${brief(value)}, ${expected}`);
}

function here(fault: string): Mismatch {
  return { pointer: '', fault };
}

function inside(name: string | number, { pointer, fault }: Mismatch): Mismatch {
  return { pointer: `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}`, fault };
}

const keywords: Readonly<Record<string, Keyword | undefined>> = {
  $schema: nothing,
  title: nothing,
  type: (type) => {
    const wrong = (value: unknown) => got(value, `which must be ${String(type)}`);
    if (!Array.isArray(type)) return typeCheck(type, wrong);
    const checks = type.map((one) => typeCheck(one, wrong));
    return (value) => (checks.some((check) => check(value) === undefined) ? undefined : wrong(value));
  },
  const: (only) => (value) => (value === only ? undefined : got(value, `expected ${JSON.stringify(only)}`)),
  enum: (values) => {
    const some = values as readonly unknown[];
    return (value) => (some.includes(value) ? undefined : got(value, `expected one of ${some.join(', ')}`));
  },
  minimum: (least) => (value) =>
    typeof value !== 'number' || value >= (least as number)
      ? undefined
      : got(value, `which must be >= ${least as number}`),
  maximum: (most) => (value) =>
    typeof value !== 'number' || value <= (most as number)
      ? undefined
      : got(value, `which must be <= ${most as number}`),
  minLength: (least) => (value) =>
    typeof value !== 'string' || isAsLong(value, least as number)
      ? undefined
      : got(value, `which must NOT have fewer than ${least as number} characters`),
  minItems: (least) => (value) =>
    !Array.isArray(value) || value.length >= (least as number)
      ? undefined
      : got(value, `which must NOT have fewer than ${least as number} items`),
  maxItems: (most) => (value) =>
    !Array.isArray(value) || value.length <= (most as number)
      ? undefined
      : got(value, `which must NOT have more than ${most as number} items`),
  items: (item) => {
    const check = compileSchema(item as Schema);
    return (value) => {
      if (!Array.isArray(value)) return undefined;
      for (let at = 0; at < value.length; at++) {
        const mismatch = check(value[at]);
        if (mismatch !== undefined) return inside(at, mismatch);
      }
      return undefined;
    };
  },
  required: (names) => (value) => {
    if (!isObject(value)) return undefined;
    for (const name of names as readonly string[])
      if (value[name] === undefined) return here(`the field "${name}" is missing`);
    return undefined;
  },
  properties: (properties) => {
    const byName = checksOf(properties);
    const names = Object.keys(byName);
    const checks = Object.values(byName);
    return (value) => {
      if (!isObject(value)) return undefined;
      for (let k = 0; k < names.length; k++) {
        const one = value[names[k]!];
        const mismatch = one === undefined ? undefined : checks[k]!(one);
        if (mismatch !== undefined) return inside(names[k]!, mismatch);
      }
      return undefined;
    };
  },
  additionalProperties: (others, { properties = {} }) => {
    const named = checksOf(properties);
    const check = others === false ? undefined : compileSchema(others as Schema);
    return (value) => {
      if (!isObject(value)) return undefined;
      // A loop, as an array of names would be costly: a large file has a hundred thousand of them.
      for (const name in value) {
        if (named[name] !== undefined || !Object.hasOwn(value, name)) continue;
        if (check === undefined) return here(`the field "${name}" is unknown to version 1`);
        const mismatch = check(value[name]);
        if (mismatch !== undefined) return inside(name, mismatch);
      }
      return undefined;
    };
  },
  if: (condition, schema) => {
    const [check, then, otherwise] = [condition, schema['then'] ?? {}, schema['else'] ?? {}].map((one) =>
      compileSchema(one as Schema),
    );
    return (value) => (check!(value) === undefined ? then!(value) : otherwise!(value));
  },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, which belongs to `if`
  then: nothing,
  else: nothing,
};

/** Counts code points, each of which takes at most two units of a string. */
function isAsLong(text: string, least: number): boolean {
  return text.length >= 2 * least || Array.from(text).length >= least;
}

/**
 * A cache: two keywords need the checks of the same object, and would otherwise compile its schemas twice, at every
 * level.
 */
const checksByName = new WeakMap<object, Readonly<Record<string, Check>>>();

/** Checks by name. Without a prototype, as names such as `constructor` would match it. */
function checksOf(properties: unknown): Readonly<Record<string, Check>> {
  const known = checksByName.get(properties as object);
  if (known !== undefined) return known;
  const checks = Object.create(null) as Record<string, Check>;
  checksByName.set(properties as object, checks);
  for (const [name, one] of Object.entries(properties as Record<string, Schema>)) checks[name] = compileSchema(one);
  return checks;
}

function typeCheck(type: unknown, wrong: (value: unknown) => Mismatch): Check {
  switch (type) {
    case 'null':
      return (value) => (value === null ? undefined : wrong(value));
    case 'integer':
      return (value) => (Number.isInteger(value) ? undefined : wrong(value));
    case 'array':
      return (value) => (Array.isArray(value) ? undefined : wrong(value));
    case 'object':
      return (value) => (isObject(value) ? undefined : wrong(value));
    default:
      return (value) => (typeof value === type ? undefined : wrong(value));
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
