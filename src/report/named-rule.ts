// Which rules does a user mean? A rule can be named by its id (or the beginning of it), by its sentence, or by its
// formula; the name of a parameter means all rules about it:
//
//   7wrfrjmx      `.html` at the end is dropped.      .html⟩ -> ⟩      utm_source=… → ε      utm_source
import { printable } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { idOf, ID_LENGTH } from '../rule/id.js';
import type { Rule } from '../rule/rule.js';
import { notationOf } from '../rule/words/notation.js';
import { ruleWords } from '../rule/words/sentence.js';

const LEAST_OF_ID = 4;

export interface NamedRules {
  readonly rules: readonly Rule[];
  /** The parameter, if that was the name. */
  readonly parameter?: string;
}

/** Throws a UserError like {@link namedRule}, if no rule is about a parameter of this name. */
export function namedRules(rules: readonly Rule[], name: string, others: readonly Rule[] = []): NamedRules {
  const parameter = name.trim();
  const about = rules.filter((rule) => isAboutParameter(rule, parameter));
  return about.length > 0 ? { rules: about, parameter } : { rules: [namedRule(rules, name, others)] };
}

/** True if the rule removes or sets the parameter, or drops or changes a field of this name. */
function isAboutParameter(rule: Rule, name: string): boolean {
  if (rule.kind === 'parameter') return rule.name === name;
  if (rule.kind !== 'substring') return false;
  const [from, to] = [fieldsNamed(rule.from, name), fieldsNamed(rule.to, name)];
  return from.length > 0 && from.join('&') !== to.join('&');
}

/** `page=1` of `?q=x&page=1`. The first field may begin before the text. */
function fieldsNamed(text: string, name: string): readonly string[] {
  return text.split(/[?&;]/).filter((field) => field.startsWith(`${name}=`));
}

/** Searches `others` only if no rule has the name. Throws a UserError if the name fits no rule, or several. */
export function namedRule(rules: readonly Rule[], name: string, others: readonly Rule[] = []): Rule {
  const own = allNamed(rules, name);
  const found = own.length > 0 ? own : allNamed(others, name);
  const [first] = found;
  if (first === undefined) throw new UserError(noneNamed(rules, name));
  if (found.length === 1) return first;
  const list = found.slice(0, 3).map((rule) => `${idOf(rule)} is: ${printable(ruleWords(rule))}${ofSite(rule, found)}`);
  throw new UserError(`"${name}" names ${found.length} rules; expected one, by its id: ${list.join(', ')}`);
}

function allNamed(rules: readonly Rule[], name: string): readonly Rule[] {
  const id = name.trim().toLowerCase();
  const written = asWritten(name);
  const isId = id.length >= LEAST_OF_ID && id.length <= ID_LENGTH && /^[0-9a-z]+$/.test(id);
  const byId = isId ? rules.filter((rule) => idOf(rule).startsWith(id)) : [];
  return byId.length > 0 ? byId : rules.filter((rule) => writings(rule).has(written));
}

function noneNamed(rules: readonly Rule[], name: string): string {
  const ranked = /^\d{1,6}$/.test(name) ? rules.find(({ rank }) => rank === Number(name)) : undefined;
  if (ranked !== undefined) {
    return `${name} is a rank, which changes from run to run; expected the id of the rule, ${idOf(ranked)}`;
  }
  return `no rule is "${name}"; expected an id such as 7wrfrjmx, the name of a parameter that a rule is about, or a rule as the table of mine or explain writes it`;
}

function ofSite({ site }: Rule, others: readonly Rule[]): string {
  return others.every((other) => other.site === site) ? '' : ` of ${site}`;
}

function writings(rule: Rule): ReadonlySet<string> {
  const notation = notationOf(rule);
  return new Set([printable(ruleWords(rule)), ...(notation === undefined ? [] : [notation])].map(asWritten));
}

/**
 * Undoes the ways in which a user may copy our text: ASCII arrows, the padding of a table's columns, or a sentence with
 * its capital letter and full stop.
 */
function asWritten(text: string): string {
  return text
    .trim()
    .replace(/\s*(?:→|->|=>)\s*/, ' → ')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())
    .replaceAll('=...', '=…');
}
