// Which fields that may mean money or choice (`url/names`) does a rule remove, set or rewrite?
//
//     parameter aff, removed                  aff
//     ?lang=de&id= → ?id=                     lang: a field that is on one side only
//     ?lang=de&id= → ?lang=de&no=             none: it stays
//     EUR → USD                               currency, if each example changes it
//     /{1:path}?{*} → /{1}                    the fields that an example loses, as the rule drops any field
//
// Steps that drop empty or repeated fields lose nothing that could mean something.
import { mayMean, meaningOf } from '../url/names.js';
import type { ParameterRule, PatternRule, Rule, SubstringRule } from './rule.js';

/** The names as the rule writes them, each once. */
export function meaningfulFields(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'parameter':
      return isMeant(rule) ? [rule.name] : [];
    case 'step':
      return rule.step === 'lower-case' && meaningOf(rule.text) !== undefined ? [rule.text] : [];
    case 'substring':
      return ofSubstring(rule);
    case 'pattern':
      return ofPattern(rule);
    default:
      return rule satisfies never;
  }
}

/** Some names mean money or choice only if their value is an address. */
function isMeant({ name, value, examples }: ParameterRule): boolean {
  if (!mayMean(name)) return false;
  const fields = examples.flatMap(([url]) => fieldsOf(url)).filter((field) => field.name === name);
  return [value, ...fields.map((field) => field.value)].some((one) => meaningOf(name, one) !== undefined);
}

function ofSubstring({ from, to, examples }: SubstringRule): readonly string[] {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  return before.length + after.length > 0 ? changed(before, after) : changedByEach(examples);
}

function ofPattern({ pattern, template, examples }: PatternRule): readonly string[] {
  const bare = pattern.replace(/\{(\d+):\w+\}/g, '{$1}');
  const said = changed(fieldsOf(bare), fieldsOf(template));
  const dropsRest = pattern.includes('{*}') && !template.includes('{*}');
  return dropsRest ? unique([...said, ...examples.flatMap(changedBy)]) : said;
}

type Pair = readonly [string, string];

/** Most rules change no query, so queries are compared before any URL is split. */
function changedBy([url, image]: Pair): readonly string[] {
  return queryOf(url) === queryOf(image) ? [] : changed(fieldsOf(url), fieldsOf(image));
}

function queryOf(url: string): string {
  const at = url.search(/[?;]/);
  return at < 0 ? '' : url.slice(at);
}

/** If a rule's text names no field, its fields are those that all of its examples change. */
function changedByEach(examples: readonly Pair[]): readonly string[] {
  const all: string[] = [];
  for (const pair of examples) {
    const names = changedBy(pair);
    if (names.length === 0) return [];
    all.push(...names);
  }
  return unique(all);
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Fields that may mean money or choice and are on one side only. */
function changed(before: readonly Field[], after: readonly Field[]): readonly string[] {
  if (![...before, ...after].some(({ name }) => mayMean(name))) return [];
  const text = ({ name, value }: Field) => `${name}=${value}`;
  const [old, now] = [before, after].map((fields) => new Set(fields.map(text))) as [Set<string>, Set<string>];
  const single = [
    ...before.filter((field) => !now.has(text(field))),
    ...after.filter((field) => !old.has(text(field))),
  ];
  return unique(single.filter(({ name, value }) => meaningOf(name, value) !== undefined).map(({ name }) => name));
}

/** The fields of a URL or of a part of one. The first field may begin before the part: `lang=de&id=`. */
function fieldsOf(text: string): readonly Field[] {
  if (!/[?&;=]/.test(text)) return [];
  const pieces = text.split(/[?&;]/);
  return pieces.flatMap((piece, at) => {
    const equals = piece.indexOf('=');
    const name = equals < 0 ? piece : piece.slice(0, equals);
    const isField = name !== '' && (at > 0 || (equals > 0 && !name.includes('/')));
    return isField ? [{ name, value: equals < 0 ? '' : piece.slice(equals + 1) }] : [];
  });
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
