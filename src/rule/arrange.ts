// Puts fields in the order of the schema, whatever order a value was made in; fields that the schema does not know are
// dropped, and counts are sorted by name. So the same contents are the same bytes.
import { compileSchema, type Schema } from './conform.js';

export type Arrange = (value: unknown) => unknown;

/** Arranges values that a schema allows; `undefined` if there is nothing to arrange in them. */
export function compileArranger(schema: Schema): Arrange | undefined {
  const { properties, additionalProperties, items } = schema;
  if (schema['if'] !== undefined) return arrangeBranch(schema);
  if (properties !== undefined) return arrangeFields(properties as Readonly<Record<string, Schema>>);
  if (additionalProperties !== undefined) return sorted as Arrange;
  const arrange = items === undefined ? undefined : compileArranger(items as Schema);
  return arrange && ((value) => (value as readonly unknown[]).map(arrange));
}

function arrangeBranch(schema: Schema): Arrange {
  const check = compileSchema(schema['if'] as Schema);
  const [then, otherwise] = ['then', 'else'].map((branch) => compileArranger(schema[branch] as Schema));
  return (value) => (check(value) === undefined ? then!(value) : otherwise!(value));
}

function arrangeFields(properties: Readonly<Record<string, Schema>>): Arrange {
  const names = Object.keys(properties);
  const arrangers = Object.values(properties).map(compileArranger);
  return (value) => {
    const fields = value as Readonly<Record<string, unknown>>;
    const arranged: Record<string, unknown> = {};
    for (let k = 0; k < names.length; k++) {
      const name = names[k]!;
      const one = fields[name];
      if (one !== undefined) arranged[name] = arrangers[k]?.(one) ?? one;
    }
    return arranged;
  };
}

function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
