// What should be done on the site? The rules that URLs are canonized by, as far as they are one thing to do:
//
//   utm_source=… → ε   utm_medium=… → ε       campaign parameters are dropped together
//   PHPSESSID=… → ε                           and session parameters
//   /a/index.html → /a/  /b/index.html → /b/  a substring that is replaced in several places
//
// `groups` counts which duplicates each retires.
import { ideaOf } from '../../families.js';
import type { ParameterRule, Rule } from '../../../rule/rule.js';
import { isInUse } from '../../../rule/standing.js';
import { stepWords } from '../../../rule/words.js';
import type { Totals } from './group.js';
import { msOf } from './duration.js';
import { knownKindOf } from '../../../url/known-names.js';
import { isDocumentUrl } from '../document-url.js';
import type { Fix, FixLines } from '../model.js';

/** The lines that make software apply some rules. */
export type LinesOf = (rules: readonly Rule[]) => readonly FixLines[];

/** The rules of a fix, in rank order. */
export interface FixRules {
  readonly rules: readonly Rule[];
}

/** How many a report proposes. */
const MOST_FIXES = 5;
const MOST_EXAMPLES = 3;

/** In the order of their first rules. */
export function fixesOf(rules: readonly Rule[]): FixRules[] {
  const fixes = new Map<string, Rule[]>();
  for (const rule of rules) {
    const key = keyOf(rule);
    const known = fixes.get(key);
    if (known === undefined) fixes.set(key, [rule]);
    else known.push(rule);
  }
  return Array.from(fixes.values(), (some) => ({ rules: some }));
}

function keyOf(rule: Rule): string {
  const kind = rule.kind === 'parameter' && rule.action === 'remove' ? knownKindOf(rule.name) : undefined;
  return kind === undefined ? ideaOf(rule) : JSON.stringify([rule.site, kind]);
}

/** Those that retire the most hits, of documents first, with what to do about them. `saved`: what each retires. */
export function rankedFixes(
  fixes: readonly FixRules[],
  saved: readonly Readonly<Totals>[],
  { linesOf, hasDurations }: { readonly linesOf: LinesOf; readonly hasDurations: boolean },
): Fix[] {
  return fixes
    .map(({ rules }, at) => ({ rules, ...saved[at]! }))
    .filter(({ hits }) => hits > 0)
    .map((fix) => ({ ...fix, ...examplesOf(fix.rules) }))
    .toSorted(
      (a, b) =>
        Number(b.isOfDocuments) - Number(a.isOfDocuments) ||
        b.hits - a.hits ||
        b.urls - a.urls ||
        a.rules[0]!.rank - b.rules[0]!.rank,
    )
    .slice(0, MOST_FIXES)
    .map(({ rules, urls, hits, bytes, botHits, micros, examples, isOfDocuments }) => {
      return {
        title: titleOf(rules),
        site: rules[0]!.site,
        rules: rules.map(({ rank }) => rank),
        isProven: rules.every(isInUse),
        confidence: Math.min(...rules.map(({ confidence }) => confidence)),
        urls,
        hits,
        bytes,
        botHits,
        ...(hasDurations && { ms: msOf(micros) }),
        examples,
        isOfDocuments,
        lines: linesOf(rules),
      };
    });
}

const ENDS = { none: '', start: ' at the start', end: ' at the end', both: ', as a whole' } as const;
const MOST_NAMES = 4;

/** Documents first. */
function examplesOf(rules: readonly Rule[]): Pick<Fix, 'examples' | 'isOfDocuments'> {
  const all = rules.flatMap((rule) => rule.examples);
  const documents = all.filter(([, form]) => isDocumentUrl(form));
  const isOfDocuments = documents.length > 0 || all.length === 0;
  return { examples: (documents.length > 0 ? documents : all).slice(0, MOST_EXAMPLES), isOfDocuments };
}

function titleOf(rules: readonly Rule[]): string {
  const [rule] = rules as [Rule];
  switch (rule.kind) {
    case 'parameter':
      return rule.action === 'remove' ? dropTitle(rules as readonly ParameterRule[]) : setTitle(rule);
    case 'substring': {
      const others =
        rules.length === 1 ? '' : `, and in ${rules.length - 1} more ${rules.length === 2 ? 'place' : 'places'}`;
      const what = rule.to === '' ? `Drop ${rule.from}` : `Write ${rule.to} for ${rule.from || 'nothing'}`;
      return `${what}${ENDS[rule.anchor]}${others}`;
    }
    case 'step':
      return stepWords(rule).replace(/^./, (letter) => letter.toUpperCase());
    case 'pattern':
      return `Write ${rule.template} for ${rule.pattern}`;
    default:
      return rule satisfies never;
  }
}

function dropTitle(rules: readonly ParameterRule[]): string {
  const names = [...new Set(rules.map(({ name }) => name))];
  const kind = knownKindOf(names[0]!);
  const listed = `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`;
  return kind === undefined
    ? `Drop the parameter ${listed}`
    : `Drop the ${kind} parameter${names.length === 1 ? '' : 's'} ${listed}`;
}

function setTitle({ name, value }: ParameterRule): string {
  return value === null ? `Write ${name} without a value` : `Write ${name}=${value}, whatever the value`;
}
