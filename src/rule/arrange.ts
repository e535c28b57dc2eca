// Puts fields into the order of the schema, drops fields that the schema does not have, and sorts counts by name. So
// the same contents give the same bytes.
import { compileSchema, type Schema } from './conform.js';

export type Arrange = (value: unknown) => unknown;

/** Makes a function that arranges values of a schema; undefined if its values have nothing to arrange. */
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
