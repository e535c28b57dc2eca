// A user's decisions on rules: `rules.local.json`, short enough to be written by hand.
//
//   {"format": "dustbuster-local", "version": 1, "rules": [
//     {"veto": true, "site": "example.com", "from": "story?id=", "to": "story_", "note": "printed stories differ"},
//     {"veto": true, "kind": "parameter", "name": "page"},
//     {"pin": true, "kind": "parameter", "name": "utm_source", "action": "remove"},
//     {"pin": true, "kind": "step", "step": "drop-end-slash", "not": [{"part": "first", "is": "feed"}]}
//   ]}
//
// A veto is a pattern: what it leaves out matches anything, so the second one is for every site. A pin is a rule: it is
// applied even if it was never mined. Left out, its site is every site (`*`), its anchor none, its scope the site, its
// text nothing. JSON has no comments; notes survive a program that rewrites the file.
import { UserError } from '../base/error.js';
import { conditionsKey } from './condition.js';
import { compileSchema } from './conform.js';
import { brief } from './json.js';
import { faultOf } from './meaning.js';
import { parseJson } from './parse-json.js';
import {
  everySite,
  type Condition,
  type ParameterRule,
  type Rule,
  type StepName,
  type SubstringRule,
  type Use,
} from './rule.js';
import { localRulesSchema } from './local-schema.js';
import { kinds, says } from './schema.js';

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
  readonly step?: StepName;
  readonly text?: string;
  readonly pattern?: string;
  readonly template?: string;
  readonly use?: Use;
  readonly only?: readonly Condition[];
  readonly not?: readonly Condition[];
}

export interface LocalRules {
  /** The name of the file in messages. */
  readonly name: string;
  readonly note?: string;
  /** All entries, as written. */
  readonly entries: readonly LocalEntry[];
  readonly vetoes: readonly LocalEntry[];
  /** The pins as rules of rank 0 without evidence. */
  readonly pins: readonly Rule[];
}

const advice = 'Expected local rules: {"format":"dustbuster-local","version":1,"rules":[…]}';
const remedies = { none: `${advice}; write them, or remove the file`, foreign: advice, again: `${advice}; end it` };

/** Reads the local rules in `bytes`. Throws {@link UserError} with the place of an error. */
export function readLocalRules(bytes: Uint8Array, name: string): LocalRules {
  const value = parseJson(bytes, name, remedies);
  const mismatch = compileSchema(localRulesSchema)(value);
  if (mismatch !== undefined) {
    const { pointer, fault } = mismatch;
    throw new UserError(`${name}: at ${pointer === '' ? 'the top level' : pointer}: ${fault}. ${advice}.`);
  }
  const { rules, note } = value as { readonly rules: readonly LocalEntry[]; readonly note?: string };
  for (const [at, entry] of rules.entries()) {
    const fault = faultOfEntry(entry);
    if (fault !== undefined) throw new UserError(`${name}: at /rules/${at}: ${fault}.`);
  }
  const pins = rules.filter(({ pin }) => pin === true).map(asRule);
  const vetoes = rules.filter(({ veto }) => veto === true);
  return { name, ...(note !== undefined && { note }), entries: rules, vetoes, pins };
}

function faultOfEntry(entry: LocalEntry): string | undefined {
  const { pin, veto } = entry;
  if (pin === veto)
    return pin === true ? 'got both "pin" and "veto", expected one' : 'expected "pin": true or "veto": true';
  const [first, second] = kinds.flatMap((kind) => {
    const field = Object.keys(says[kind]).find((one) => entry[one as keyof LocalEntry] !== undefined);
    return field === undefined ? [] : [{ kind, field }];
  });
  if (first !== undefined && second !== undefined)
    return `"${first.field}" is a field of ${first.kind} rules, "${second.field}" one of ${second.kind} rules; expected one kind`;
  if (first !== undefined && entry.kind !== undefined && entry.kind !== first.kind)
    return `"${first.field}" is a field of ${first.kind} rules, but "kind" is "${entry.kind}"`;
  return veto === true ? faultOfVeto(entry) : faultOfPin(entry, first?.kind);
}

function faultOfVeto({ veto: _veto, note: _note, ...fields }: LocalEntry): string | undefined {
  return Object.keys(fields).length > 0
    ? undefined
    : 'the veto names nothing, so no rule at all would be left; say which, by "site", "from", "name" and their like';
}

const needed = {
  substring: ['from', 'to'],
  parameter: ['name', 'action'],
  step: ['step'],
  pattern: ['pattern', 'template'],
} as const satisfies Record<Rule['kind'], readonly (keyof LocalEntry)[]>;

function faultOfPin(entry: LocalEntry, kind: Rule['kind'] = entry.kind ?? 'substring'): string | undefined {
  const missing = needed[kind].find((field) => entry[field] === undefined);
  if (missing !== undefined)
    return `the pin has no "${missing}", but has to say a whole rule: "from" and "to", or "name" and "action", or "step", or "pattern" and "template"`;
  if (entry.action === 'set' && entry.value === undefined) return 'the pin sets a parameter, but has no "value"';
  if (entry.path !== undefined && entry.scope === undefined)
    return 'the pin has a "path" without a "scope", expected "prefix" or "path"';
  return faultOf(asRule(entry));
}

/** The rule that a pin describes. */
export function asRule({ site = everySite, note, only, not, ...entry }: LocalEntry): Rule {
  const bare = { rank: 0, site, status: 'likely', against: 0, confidence: 0, examples: [], pin: 'local' } as const;
  const where = { ...(only !== undefined && { only }), ...(not !== undefined && { not }) };
  const head = { ...bare, ...where, ...(note !== undefined && { note }) };
  if (entry.from !== undefined) {
    const { from, to = '', anchor = 'none' } = entry;
    return { ...head, kind: 'substring', from, to, anchor, support: { low: 0, high: 0 } };
  }
  if (entry.step !== undefined) {
    const { step, text = '' } = entry;
    return { ...head, kind: 'step', step, text, support: { urls: 0 } };
  }
  if (entry.pattern !== undefined) {
    const { pattern, template = '', use = 'write' } = entry;
    return { ...head, kind: 'pattern', pattern, template, use, support: { clusters: 0, urls: 0 } };
  }
  const { name = '', action = 'remove', value = null, scope = 'site', path = '' } = entry;
  return { ...head, kind: 'parameter', name, action, value, scope, path, support: { groups: 0, urls: 0 }, chance: 0 };
}

/**
 * The rules that each veto matches, in the order of the vetoes. A veto of a pair matches both directions, as it denies
 * that the two pages are one.
 */
export function rulesMeant(
  vetoes: readonly LocalEntry[],
  rules: readonly Rule[],
): ReadonlyMap<LocalEntry, readonly Rule[]> {
  const meant = new Map<LocalEntry, Rule[]>();
  const shapes = new Map<string, Shape>();
  for (const veto of vetoes) {
    const { veto: _veto, pin: _pin, note: _note, ...fields } = veto;
    const names = Object.keys(fields).sort();
    const shape = shapes.get(names.join()) ?? { names, meant: new Map<string, Rule[]>() };
    shapes.set(names.join(), shape);
    const saying = sayingOf(fields, names)!;
    const list = shape.meant.get(saying) ?? [];
    shape.meant.set(saying, list);
    meant.set(veto, list);
  }
  for (const rule of rules) {
    const ways = rule.kind === 'substring' ? [rule, { ...rule, from: rule.to, to: rule.from }] : [rule];
    for (const { names, meant: bySaying } of shapes.values()) {
      const lists = ways.map((way) => bySaying.get(sayingOf(way, names) ?? ''));
      for (const list of new Set(lists)) list?.push(rule);
    }
  }
  return meant;
}

/** Vetoes that name the same fields. */
interface Shape {
  readonly names: readonly string[];
  /** Maps the values of these fields to the rules that have them. */
  readonly meant: Map<string, Rule[]>;
}

/** The values of these fields in a veto or a rule, as a key; undefined if one is missing. */
function sayingOf(entry: LocalEntry | Rule, names: readonly string[]): string | undefined {
  const of = entry as unknown as Readonly<Record<string, unknown>>;
  if (!names.every((name) => Object.hasOwn(of, name))) return undefined;
  return JSON.stringify(names.map((name) => (isConditions(name) ? conditionsText(of[name]) : of[name])));
}

function isConditions(name: string): boolean {
  return name === 'only' || name === 'not';
}

/** The same text for any order of the conditions. */
function conditionsText(conditions: unknown): string {
  return conditionsKey({ not: conditions as readonly Condition[] });
}

/** A veto for messages. They cut long text, so what the veto is about comes first. */
export function describeVeto({ veto: _veto, note: _note, kind, site, ...what }: LocalEntry): string {
  return brief({ ...what, ...(kind !== undefined && { kind }), ...(site !== undefined && { site }) });
}
