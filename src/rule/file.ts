// The ranked rules file: versioned JSON, with one rule and one input per line so that two runs diff well, and the same
// bytes for the same contents. It is passed on to others, so it has no values of visitors (`passed-on`). Reading trusts
// nothing: the file may have been edited, merged or cut off, or may not be a rules file at all.
import { escapeControls } from '../base/bytes.js';
import { publicSuffixesOf } from '../url/public-suffix.js';
import { compileArranger, type Arrange } from './arrange.js';
import { checkFile } from './check-file.js';
import { advice } from './check.js';
import type { Schema } from './conform.js';
import { holdingBack } from './held-back.js';
import { idOf } from './id.js';
import { parseJson } from './parse-json.js';
import { maskedValidation, passedOn } from './passed-on.js';
import type { ListedFile, MineOptions, Rule, RulesFile } from './rule.js';
import { rulesFileSchema, ruleSchema, says, shown } from './schema.js';

type Write = (value: unknown) => string;

/** Yields the file as lines, each with its newline: one field a line, and in a list of objects one object a line. */
export function* writeRules(file: ListedFile): Iterable<string> {
  const fields = fieldsOf(file);
  yield '{\n';
  for (const [at, { name, schema, value }] of fields.entries()) {
    const end = at < fields.length - 1 ? ',\n' : '\n';
    const rows = rowsOf(schema);
    if (rows === undefined) yield `  "${name}": ${writerBy(arrangerOf(name, schema))(value)}${end}`;
    else yield* writeRows(name, value as Iterable<unknown>, writerBy(arrangerOf(name, rows)), end);
  }
  yield '}\n';
}

/** The content of the file as plain JSON. */
export function rulesContent(file: RulesFile): Readonly<Record<string, unknown>> {
  const entries = fieldsOf(file).map(({ name, schema, value }) => {
    const rows = rowsOf(schema);
    const arrange = arrangerOf(name, rows ?? schema);
    return [name, rows === undefined ? arrange(value) : Array.from(value as Iterable<unknown>, (row) => arrange(row))];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
}

/** The fields of the file, in order. */
function fieldsOf(file: ListedFile): Field[] {
  const suffixes = suffixesOf(file);
  const contents: Readonly<Record<string, unknown>> = {
    ...file,
    publicSuffixes: suffixes.length > 0 ? suffixes : undefined,
    validation: file.validation && maskedValidation(file.validation),
    rules: { [Symbol.iterator]: () => eachPassedOn(file.rules) },
  };
  return Object.entries<Schema>(rulesFileSchema.properties)
    .map(([name, schema]) => ({ name, schema, value: contents[name] }))
    .filter(({ value }) => value !== undefined);
}

function* eachPassedOn(rules: Iterable<Rule>): Generator<Rule> {
  for (const rule of rules) {
    const passed = passedOn(rule);
    if (passed !== undefined) yield passed;
  }
}

/** The schema of a field's rows, if it has rows. */
function rowsOf({ items }: Schema): Schema | undefined {
  return (items as Schema | undefined)?.['type'] === 'object' ? (items as Schema) : undefined;
}

/** Puts a field, or a row of it, into the order of the file. Rules get their ids. */
function arrangerOf(name: string, schema: Schema): Arrange {
  const arrange = compileArranger(schema) ?? ((plain: unknown) => plain);
  return name === 'rules' ? (rule) => arrange(withId(rule as Rule)) : arrange;
}

function writerBy(arrange: Arrange): Write {
  return (value) => escapeControls(JSON.stringify(arrange(value)));
}

/** Computes the id from what the rule says now. */
function withId(rule: Rule): Rule {
  return { ...rule, id: idOf(rule) };
}

function* writeRows(name: string, rows: Iterable<unknown>, write: Write, end: string): Iterable<string> {
  let before = `  "${name}": [\n    `;
  for (const row of rows) {
    yield before + write(row);
    before = ',\n    ';
  }
  yield before === ',\n    ' ? `\n  ]${end}` : `  "${name}": []${end}`;
}

interface RulesOfSites {
  readonly options: Pick<MineOptions, 'site'>;
  readonly rules: Iterable<Pick<Rule, 'site'>>;
}

/** Lines of the public suffix list that a program without the list needs for the hosts of these rules. */
export function suffixesOf({ options, rules }: RulesOfSites): readonly string[] {
  if (options.site !== 'domain') return [];
  const sites = new Set<string>();
  for (const { site } of rules) sites.add(site);
  return publicSuffixesOf(sites);
}

let arrangeRule: Arrange | undefined;

/** A rule as plain JSON, in the order of the file, without examples and verdicts. */
export function describeRule(rule: Rule): Readonly<Record<string, unknown>> {
  arrangeRule ??= compileArranger(ruleSchema)!;
  const fields = Object.entries(arrangeRule(withId(passedOn(rule) ?? rule)) as Record<string, unknown>);
  return Object.fromEntries(fields.filter(([name]) => !Object.hasOwn(shown, name)));
}

/** The fields that say what the rule does. */
export function saying(rule: Rule): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(says[rule.kind]).map((name) => [name, rule[name as keyof Rule]]));
}

const remedies = {
  none: `${advice}; mine again, or name another file`,
  foreign: `${advice}; name another file`,
  again: `${advice}; write it again`,
};

/** The rules file in `bytes`; error messages call it `name`. Throws `UserError` for anything else. */
export function readRules(bytes: Uint8Array, name: string): RulesFile {
  return holdingBack(checkFile(parseJson(bytes, name, remedies), name));
}
