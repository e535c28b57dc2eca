// Is a value as a JSON Schema says? A short answer for files that are right, as nearly all are: to load ajv and to have it
// compile the schema takes longer than all else of a start (100 of 240 ms), and is only worth it to say what is wrong.

interface Schema {
  readonly [keyword: string]: unknown;
}

/** True if the schema (draft 2020-12) allows the JSON value. Throws for a keyword that is unknown here. */
export function conforms(value: unknown, schema: Schema): boolean {
  for (const keyword of Object.keys(schema)) {
    const allows = keywords[keyword];
    if (allows === undefined) throw new Error(`conforms: got the keyword ${keyword}, expected one that is known`);
    if (!allows(value, schema[keyword], schema)) return false;
  }
  return true;
}

type Allows = (value: unknown, argument: unknown, schema: Schema) => boolean;

const all: Allows = () => true;

const keywords: Readonly<Record<string, Allows | undefined>> = {
  $schema: all,
  title: all,
  description: all,
  type: (value, types) => (Array.isArray(types) ? types.some((type) => isOfType(value, type)) : isOfType(value, types)),
  const: (value, only) => value === only,
  enum: (value, some) => (some as readonly unknown[]).includes(value),
  minimum: (value, least) => typeof value !== 'number' || value >= (least as number),
  maximum: (value, most) => typeof value !== 'number' || value <= (most as number),
  minLength: (value, least) => typeof value !== 'string' || Array.from(value).length >= (least as number),
  minItems: (value, least) => !Array.isArray(value) || value.length >= (least as number),
  maxItems: (value, most) => !Array.isArray(value) || value.length <= (most as number),
  items: (value, item) => !Array.isArray(value) || value.every((one) => conforms(one, item as Schema)),
  required: (value, names) =>
    !isObject(value) || (names as readonly string[]).every((name) => Object.hasOwn(value, name)),
  properties: (value, properties) => {
    const schemas = properties as Readonly<Record<string, Schema>>;
    return (
      !isObject(value) ||
      Object.keys(value).every((name) => !Object.hasOwn(schemas, name) || conforms(value[name], schemas[name]!))
    );
  },
  additionalProperties: (value, others, { properties = {} }) => {
    if (!isObject(value)) return true;
    const names = Object.keys(value).filter((name) => !Object.hasOwn(properties as object, name));
    return others === false ? names.length === 0 : names.every((name) => conforms(value[name], others as Schema));
  },
  if: (value, condition, schema) => {
    const chosen = conforms(value, condition as Schema) ? schema['then'] : schema['else'];
    return chosen === undefined || conforms(value, chosen as Schema);
  },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, which belongs to `if`
  then: all,
  else: all,
};

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
