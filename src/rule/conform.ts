// Is a value as a JSON Schema says? A short answer for files that are right, as nearly all are: to load ajv and to have it
// compile the schema takes longer than all else of a start (100 of 240 ms), and is only worth it to say what is wrong.

export interface Schema {
  readonly [keyword: string]: unknown;
}

type Test = (value: unknown) => boolean;

/** What tells whether the schema (draft 2020-12) allows a JSON value. Throws for a keyword that is unknown here. */
export function compileSchema(schema: Schema): Test {
  const tests: Test[] = [];
  for (const keyword of Object.keys(schema)) {
    const compile = keywords[keyword];
    if (compile === undefined) throw new Error(`schema: got the keyword ${keyword}, expected one that is known`);
    if (compile !== nothing) tests.push(compile(schema[keyword], schema));
  }
  if (tests.length === 1) return tests[0]!;
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

/** A JSON pointer to the first place where a value is not as the schema says, as far in as it can be told. */
export function mismatchAt(value: unknown, schema: Schema): string {
  const { properties = {}, items } = schema;
  if (isObject(value)) {
    for (const [name, one] of Object.entries(properties as Record<string, Schema>)) {
      if (!Object.hasOwn(value, name) || compileSchema(one)(value[name])) continue;
      return `/${name}${mismatchAt(value[name], one)}`;
    }
  }
  if (Array.isArray(value) && items !== undefined) {
    const test = compileSchema(items as Schema);
    const at = value.findIndex((item) => !test(item));
    if (at >= 0) return `/${at}${mismatchAt(value[at], items as Schema)}`;
  }
  if (schema['if'] === undefined) return '';
  const branch = compileSchema(schema['if'] as Schema)(value) ? 'then' : 'else';
  return mismatchAt(value, (schema[branch] ?? {}) as Schema);
}

/** What a keyword asks of a value, by its argument and the schema in which it stands. */
type Keyword = (argument: unknown, schema: Schema) => Test;

const nothing: Keyword = () => () => true;

const keywords: Readonly<Record<string, Keyword | undefined>> = {
  $schema: nothing,
  title: nothing,
  description: nothing,
  type: (types) => {
    if (!Array.isArray(types)) return typeTest(types);
    const tests = types.map(typeTest);
    return (value) => tests.some((test) => test(value));
  },
  const: (only) => (value) => value === only,
  enum: (some) => (value) => (some as readonly unknown[]).includes(value),
  minimum: (least) => (value) => typeof value !== 'number' || value >= (least as number),
  maximum: (most) => (value) => typeof value !== 'number' || value <= (most as number),
  minLength: (least) => (value) => typeof value !== 'string' || isAsLong(value, least as number),
  minItems: (least) => (value) => !Array.isArray(value) || value.length >= (least as number),
  maxItems: (most) => (value) => !Array.isArray(value) || value.length <= (most as number),
  items: (item) => {
    const test = compileSchema(item as Schema);
    return (value) => !Array.isArray(value) || value.every(test);
  },
  required: (names) => (value) => {
    if (!isObject(value)) return true;
    for (const name of names as readonly string[]) if (value[name] === undefined) return false;
    return true;
  },
  properties: (properties) => {
    const byName = testsOf(properties);
    const names = Object.keys(byName);
    const tests = Object.values(byName);
    return (value) => {
      if (!isObject(value)) return true;
      for (let k = 0; k < names.length; k++) {
        const one = value[names[k]!];
        if (one !== undefined && !tests[k]!(one)) return false;
      }
      return true;
    };
  },
  additionalProperties: (others, { properties = {} }) => {
    const named = testsOf(properties);
    const test = others === false ? () => false : compileSchema(others as Schema);
    return (value) => {
      if (!isObject(value)) return true;
      // No array of names is made: a large file has a hundred thousand of them.
      for (const name in value)
        if (named[name] === undefined && Object.hasOwn(value, name) && !test(value[name])) return false;
      return true;
    };
  },
  if: (condition, schema) => {
    const [test, then, otherwise] = [condition, schema['then'] ?? {}, schema['else'] ?? {}].map((one) =>
      compileSchema(one as Schema),
    );
    return (value) => (test!(value) ? then!(value) : otherwise!(value));
  },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, which belongs to `if`
  then: nothing,
  else: nothing,
};

/** In code points, of which no one has more than two of the units of a string. */
function isAsLong(text: string, least: number): boolean {
  return text.length >= 2 * least || Array.from(text).length >= least;
}

/** Two keywords ask for the tests of one object; without this, each of their schemas would be compiled twice, and so on inside. */
const testsByName = new WeakMap<object, Readonly<Record<string, Test>>>();

/** By name; without a prototype, which would have names too. */
function testsOf(properties: unknown): Readonly<Record<string, Test>> {
  const known = testsByName.get(properties as object);
  if (known !== undefined) return known;
  const tests = Object.create(null) as Record<string, Test>;
  testsByName.set(properties as object, tests);
  for (const [name, one] of Object.entries(properties as Record<string, Schema>)) tests[name] = compileSchema(one);
  return tests;
}

function typeTest(type: unknown): Test {
  switch (type) {
    case 'null':
      return (value) => value === null;
    case 'integer':
      return Number.isInteger;
    case 'array':
      return Array.isArray;
    case 'object':
      return isObject;
    default:
      return (value) => typeof value === type;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
