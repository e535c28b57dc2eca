// What a user decided on rules: `rules.local.json`, short enough to be written by hand.
//
//   {"format": "dustbuster-local", "version": 1, "rules": [
//     {"veto": true, "site": "example.com", "from": "story?id=", "to": "story_", "note": "printed stories differ"},
//     {"veto": true, "kind": "parameter", "name": "page"},
//     {"pin": true, "kind": "parameter", "name": "utm_source", "action": "remove"}
//   ]}
//
// A veto is a pattern: what it leaves out matches anything, so the second one is for every site. A pin is a rule: it is applied
// even if it was never mined. Left out, its site is every site (`*`), its anchor none, its scope the site. JSON has no
// comments; notes are what survives a program that writes the file again.
import { UserError } from '../base/error.js';
import { compileSchema } from './conform.js';
import { everySite } from './filing.js';
import { findMismatch } from './hand-written.js';
import { brief } from './json.js';
import { faultOf } from './meaning.js';
import { parseJson } from './parse-json.js';
import type { ParameterRule, Rule, SubstringRule } from './rule.js';
import { localRulesSchema } from './local-schema.js';

/** One line of the file as it was written. */
export interface LocalEntry {
  readonly pin?: true;
  readonly veto?: true;
  readonly note?: string;
  readonly kind?: Rule['kind'];
  readonly site?: string;
  readonly from?: string;
  readonly to?: string;
  readonly anchor?: SubstringRule['anchor'];
  readonly name?: string;
  readonly action?: ParameterRule['action'];
  readonly value?: string | null;
  readonly scope?: ParameterRule['scope'];
  readonly path?: string;
}

export interface LocalRules {
  /** What messages call the file. */
  readonly name: string;
  readonly vetoes: readonly LocalEntry[];
  /** As rules of rank 0 that nothing speaks for. */
  readonly pins: readonly Rule[];
}

const ofSubstrings = ['from', 'to', 'anchor'] as const;
const ofParameters = ['name', 'action', 'value', 'scope', 'path'] as const;

const advice = 'Expected local rules: {"format":"dustbuster-local","version":1,"rules":[…]}';
const remedies = { none: `${advice}; write them, or remove the file`, foreign: advice, again: `${advice}; end it` };

/** The local rules in `bytes`. Throws {@link UserError} with the place of what is wrong. */
export function readLocalRules(bytes: Uint8Array, name: string): LocalRules {
  const value = parseJson(bytes, name, remedies);
  if (!isAsTheSchemaSays(value)) {
    const { pointer, fault } = findMismatch(value, localRulesSchema);
    throw new UserError(`${name}: at ${pointer === '' ? 'the top level' : pointer}: ${fault}. ${advice}.`);
  }
  const { rules } = value as { readonly rules: readonly LocalEntry[] };
  for (const [at, entry] of rules.entries()) {
    const fault = faultOfEntry(entry);
    if (fault !== undefined) throw new UserError(`${name}: at /rules/${at}: ${fault}.`);
  }
  const pins = rules.filter(({ pin }) => pin === true).map(asRule);
  return { name, vetoes: rules.filter(({ veto }) => veto === true), pins };
}

function isAsTheSchemaSays(value: unknown): boolean {
  return compileSchema(localRulesSchema)(value);
}

function faultOfEntry(entry: LocalEntry): string | undefined {
  const { pin, veto } = entry;
  if (pin === veto)
    return pin === true ? 'got both "pin" and "veto", expected one' : 'expected "pin": true or "veto": true';
  const substring = ofSubstrings.find((field) => entry[field] !== undefined);
  const parameter = ofParameters.find((field) => entry[field] !== undefined);
  if (substring !== undefined && (parameter !== undefined || entry.kind === 'parameter')) {
    const other = parameter === undefined ? '"kind": "parameter"' : `"${parameter}" one of parameter rules`;
    return `"${substring}" is a field of substring rules, ${other}; expected one kind`;
  }
  if (parameter !== undefined && entry.kind === 'substring')
    return `"${parameter}" is a field of parameter rules, but "kind" is "substring"`;
  return veto === true ? faultOfVeto(entry) : faultOfPin(entry, substring, parameter);
}

function faultOfVeto({ veto: _veto, note: _note, ...fields }: LocalEntry): string | undefined {
  return Object.keys(fields).length > 0
    ? undefined
    : 'the veto names nothing, so no rule at all would be left; say which, by "site", "from", "name" and their like';
}

function faultOfPin(
  entry: LocalEntry,
  substring: string | undefined,
  parameter: string | undefined,
): string | undefined {
  const needs = (field: keyof LocalEntry) =>
    `the pin has no "${field}", but has to say a whole rule: "from" and "to", or "name" and "action"`;
  if (substring === undefined && parameter === undefined) return needs(entry.kind === 'parameter' ? 'name' : 'from');
  if (substring !== undefined) {
    if (entry.from === undefined) return needs('from');
    if (entry.to === undefined) return needs('to');
  } else {
    if (entry.name === undefined) return needs('name');
    if (entry.action === undefined) return needs('action');
    if (entry.action === 'set' && entry.value === undefined) return 'the pin sets a parameter, but has no "value"';
    if (entry.path !== undefined && entry.scope === undefined)
      return 'the pin has a "path" without a "scope", expected "prefix" or "path"';
  }
  return faultOf(asRule(entry));
}

/** Of a pin that says a whole rule. */
function asRule({ site = everySite, note, ...entry }: LocalEntry): Rule {
  const bare = { rank: 0, site, status: 'likely', against: 0, confidence: 0, examples: [], pin: 'local' } as const;
  const head = { ...bare, ...(note !== undefined && { note }) };
  if (entry.from !== undefined) {
    const { from, to = '', anchor = 'none' } = entry;
    return { ...head, kind: 'substring', from, to, anchor, support: { low: 0, high: 0 } };
  }
  const { name = '', action = 'remove', value = null, scope = 'site', path = '' } = entry;
  return { ...head, kind: 'parameter', name, action, value, scope, path, support: { groups: 0, urls: 0 }, chance: 0 };
}

/** True for the rules that a veto means. Of a pair it means both directions: that two pages are one is what is refused. */
export function isMeant({ veto: _veto, pin: _pin, note: _note, ...fields }: LocalEntry, rule: Rule): boolean {
  return (
    hasFields(fields, rule) ||
    (rule.kind === 'substring' && hasFields(fields, { ...rule, from: rule.to, to: rule.from }))
  );
}

function hasFields(fields: Readonly<Record<string, unknown>>, rule: Rule): boolean {
  const of = rule as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(fields).every(([name, value]) => Object.hasOwn(of, name) && of[name] === value);
}

/** A veto as it was written, for messages. */
export function describeVeto({ veto: _veto, note: _note, ...fields }: LocalEntry): string {
  return brief(fields);
}
