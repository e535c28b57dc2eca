// What may hold on many hosts alike? A statement is a rule that names no host: parameters that go, or one text that
// becomes another.
//
//   http://a.example/x?sid=1    http://a.example/x?sid=2      remove sid
//   http://b.example/index.php  http://b.example/             /index.php → / at the end
//   http://c.example/x?u=1&v=2  http://c.example/x            remove u and v, which this host never has apart
import { decodeText, encodeText } from '../../base/bytes.js';
import { compileSubstring, imageOf } from '../../rule/apply.js';
import type { ParameterRule, StepRule, SubstringRule } from '../../rule/rule.js';
import { compileStep, stepKey, takeStep } from '../../rule/step.js';
import { emptyFields, hasName, splitFields, withoutFields } from '../../url/fields.js';
import { isOrderName } from '../../url/names.js';
import { tokensOf } from '../../url/token.js';
import { differencesOf, priorOf, type DifferenceKind } from '../difference.js';

export type Saying =
  | Pick<SubstringRule, 'kind' | 'from' | 'to' | 'anchor'>
  | Pick<StepRule, 'kind' | 'step' | 'text'>
  | { readonly kind: 'removal'; readonly names: readonly string[] };

/** What a statement is made of. */
export interface StatementText {
  readonly saying: Saying;
  /** The share of such rules that hold, before any host is heard. */
  readonly prior: number;
  /** True if sizes alone can never prove it: pages in two languages may have one size. */
  readonly needsContents: boolean;
}

export interface Statement extends StatementText {
  /** A text that every URL has which the statement changes. */
  readonly text: Uint8Array;
  /** The image, or `url` itself, the same object, if nothing changes. */
  readonly image: (url: Uint8Array) => Uint8Array;
  /** Statements that change more at once are asked when simpler ones are settled. */
  readonly complexity: number;
}

/** The same text for the same statement. */
export function keyOf(saying: Saying): string {
  switch (saying.kind) {
    case 'removal':
      return JSON.stringify(saying.names);
    case 'step':
      return JSON.stringify({ [saying.step]: saying.text });
    case 'substring':
      return JSON.stringify([saying.from, saying.to, saying.anchor]);
    default:
      return saying satisfies never;
  }
}

/** `pairs` are some of the URLs that the statement makes one. */
export function statementOf(saying: Saying, pairs: readonly (readonly [string, string])[]): Statement {
  const kinds = new Set<DifferenceKind>(pairs.flatMap(([url, image]) => [...differencesOf(url, image)]));
  const isOrder = saying.kind === 'removal' && saying.names.some(isOrderName);
  const needsContents = isOrder || kinds.has('language') || kinds.has('number');
  return compiled({ saying, prior: priorOf(kinds), needsContents });
}

export function compiled({ saying, prior, needsContents }: StatementText): Statement {
  return { saying, prior, needsContents, complexity: complexityOf(saying), ...editOf(saying) };
}

/** A step or a parameter is as simple as can be, a substring the simpler the fewer tokens it has. */
function complexityOf(saying: Saying): number {
  if (saying.kind === 'removal') return saying.names.length - 1;
  if (saying.kind === 'step') return 0;
  const tokens = tokensOf(saying.from).length + tokensOf(saying.to).length;
  return saying.from.startsWith('//') || tokens <= 2 ? 0 : tokens <= 4 ? 1 : 2;
}

function editOf(saying: Saying): Pick<Statement, 'text' | 'image'> {
  switch (saying.kind) {
    case 'substring': {
      const rule = compileSubstring(saying);
      return { text: rule.from, image: (url) => imageOf(rule, url, 0) };
    }
    case 'step': {
      const step = compileStep(saying);
      return { text: stepKey(step), image: (url) => takeStep(step, url) };
    }
    case 'removal': {
      const names = saying.names.map(encodeText);
      return { text: names[0]!, image: (url) => withoutNames(url, names) };
    }
    default:
      return saying satisfies never;
  }
}

/** True if the URLs differ in all of these parameters, not in some of them only. */
export function differInAll(one: Uint8Array, other: Uint8Array, names: readonly string[]): boolean {
  const [a, b] = [parametersOf(one).fields, parametersOf(other).fields];
  return names.every((name) => {
    const ofName = (fields: readonly string[]) =>
      fields.filter((field) => field === name || field.startsWith(`${name}=`)).join('&');
    return ofName(a) !== ofName(b);
  });
}

const fields = emptyFields();

function withoutNames(url: Uint8Array, names: readonly Uint8Array[]): Uint8Array {
  splitFields(url, fields);
  const goes = (field: number) => names.some((name) => hasName(url, fields, field, name));
  for (let field = 0; field < fields.count; field++) if (goes(field)) return withoutFields(url, fields, goes);
  return url;
}

/** The parameters of a URL with their values, and what is left without them. */
export function parametersOf(url: Uint8Array): { readonly fields: readonly string[]; readonly rest: string } {
  splitFields(url, fields);
  const texts: string[] = [];
  for (let field = 0; field < fields.count; field++)
    texts.push(decodeText(url, fields.start[field]!, fields.end[field]!));
  return { fields: texts, rest: decodeText(withoutFields(url, fields, () => true)) };
}

/** What a rule of many hosts may say. */
export type RuleText =
  | Pick<SubstringRule, 'kind' | 'from' | 'to' | 'anchor'>
  | Pick<StepRule, 'kind' | 'step' | 'text'>
  | Pick<ParameterRule, 'kind' | 'name' | 'action' | 'value' | 'scope' | 'path'>;

/** The rules of a statement: one for each parameter. */
export function rulesOf(saying: Saying): readonly RuleText[] {
  if (saying.kind !== 'removal') return [saying];
  const action = { action: 'remove', value: null, scope: 'site', path: '' } as const;
  return saying.names.map((name) => ({ kind: 'parameter', name, ...action }));
}
