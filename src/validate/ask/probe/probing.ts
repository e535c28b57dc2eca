// Does an accepted rule hold for URLs that the list lacks? A few probes of each kind are requested. If one shows
// another page, four of its siblings decide whether it is an exception or the rule is too general:
//
//     one of five differs     an exception
//     two of five differ      a condition that separates them from what was right; without one, the rule is refuted
import type { Rule } from '../../../rule/rule.js';
import type { Asker } from '../answer.js';
import { keptOf, separate, withConditions, type Conditions } from '../conditions.js';
import { hypothesisOf } from '../hypothesis.js';
import { conditionKey, conditionsOf, partsOf } from '../parts.js';
import type { Change, SiteForms } from '../site-forms.js';
import { askProbe } from './answer.js';
import { probesOf, type Making, type Probes } from './probes.js';

const SIBLINGS = 4;
const MANY = 2;
/** Probes without a page are skipped, up to this multiple of the number wanted. */
const TRIES = 2;
const MOST_NARROWINGS = 3;

export interface Probing {
  readonly forms: SiteForms;
  readonly making: Making;
  readonly asker: Asker;
  /** The most probes of a rule; siblings come on top. */
  readonly most: number;
  /** How many forms a narrowed rule has to save. */
  readonly minSaving: number;
}

export interface Probed {
  /** The rule, narrowed to hold for the probes too; undefined if nothing is left of it. */
  readonly rule: Rule | undefined;
  /** Forms of probes that were right. */
  readonly right: readonly string[];
  readonly wrong: readonly Wrong[];
  /** True if no requests were left for all probes. */
  readonly isCut: boolean;
}

export type Wrong = readonly [form: string, image: string, reason: string];

/** `positives`: forms of the list for which the rule proved right. */
export async function probed(rule: Rule, positives: readonly string[], probing: Probing): Promise<Probed> {
  let now = rule;
  const wrong: Wrong[] = [];
  const right = [...positives];
  for (let turn = 0; turn <= MOST_NARROWINGS; turn++) {
    const { changes } = reachOf(now, probing.forms);
    const found = await asked(now, changes, probing);
    wrong.push(...found.exceptions, ...found.wrong);
    right.push(...found.right);
    now = withExceptions(now, found.exceptions);
    const made = right.slice(positives.length);
    const { isCut } = found;
    if (found.wrong.length === 0) return { rule: now, right: made, wrong, isCut };
    const next = narrowed(now, { right, wrong: found.wrong, changes }, probing);
    if (next === undefined) return { rule: undefined, right: made, wrong, isCut };
    now = next;
  }
  return { rule: undefined, right: [], wrong, isCut: false };
}

function reachOf(rule: Rule, forms: SiteForms) {
  return forms.reachOf(hypothesisOf([rule], { prior: 1 }));
}

interface Found {
  readonly right: readonly string[];
  readonly wrong: readonly Wrong[];
  readonly exceptions: readonly Wrong[];
  readonly isCut: boolean;
}

async function asked(rule: Rule, changes: readonly Change[], probing: Probing): Promise<Found> {
  const right: string[] = [];
  const wrong: Wrong[] = [];
  const exceptions: Wrong[] = [];
  let left = probing.most;
  let isCut = false;
  for (const kind of inTurns(probesOf(rule, changes, probing.forms, probing.making))) {
    if (left-- === 0) break;
    const first = await askNext(kind, 1, probing.asker);
    right.push(...first.right);
    isCut ||= first.isCut;
    if (first.wrong.length === 0) continue;
    const siblings = await askNext(kind, SIBLINGS, probing.asker);
    right.push(...siblings.right);
    isCut ||= siblings.isCut;
    const all = [...first.wrong, ...siblings.wrong];
    if (all.length < MANY) exceptions.push(...all);
    else wrong.push(...all);
    if (wrong.length > 0) break;
  }
  return { right, wrong, exceptions, isCut };
}

/** One probe of each kind in turn, then another from each kind that takes more. */
function* inTurns(kinds: readonly Probes[]): Generator<Probes> {
  const most = Math.max(0, ...kinds.map(({ take }) => take));
  for (let turn = 0; turn < most; turn++) for (const kind of kinds) if (turn < kind.take) yield kind;
}

/** The next probes of a kind that get a usable answer. */
async function askNext({ next }: Probes, count: number, asker: Asker): Promise<Omit<Found, 'exceptions'>> {
  const right: string[] = [];
  const wrong: Wrong[] = [];
  for (let tries = 0; tries < TRIES * count && right.length + wrong.length < count; tries++) {
    const probe = next();
    if (probe === undefined) break;
    const said = await askProbe(probe, asker);
    if (said.kind === 'stop') return { right, wrong, isCut: true };
    if (said.kind === 'right') right.push(probe.form);
    if (said.kind === 'wrong') wrong.push([probe.form, probe.image, said.reason]);
  }
  return { right, wrong, isCut: false };
}

function withExceptions(rule: Rule, exceptions: readonly Wrong[]): Rule {
  if (exceptions.length === 0) return rule;
  return { ...rule, except: [...new Set([...(rule.except ?? []), ...exceptions.map(([form]) => form)])] };
}

/** The rule narrowed to exclude the failures, if it still saves enough. */
function narrowed(
  rule: Rule,
  { right, wrong, changes }: { right: readonly string[]; wrong: readonly Wrong[]; changes: readonly Change[] },
  { forms, minSaving }: Probing,
): Rule | undefined {
  const failed = wrong.map(([form]) => form);
  const reach = changes.map(({ form }) => form.text);
  const found = [...afterAnother(rule, failed), ...separate(right, failed, reach), ...sharedBy(failed, right)];
  return found
    .toSorted((a, b) => keptOf(reach, b) - keptOf(reach, a))
    .filter(({ only }) => only.length === 0 || rule.only === undefined)
    .map(({ only, not }) =>
      withConditions(rule, { only: only.length > 0 ? only : (rule.only ?? []), not: [...(rule.not ?? []), ...not] }),
    )
    .find((one) => !changesAny(one, failed, forms) && reachOf(one, forms).saving >= minSaving);
}

/**
 * Conditions that hold for all failures and for no success, such as a `+`, even if the list has no such URL. Values and
 * numbers of fields do not count, as the probes were made by varying these.
 */
function sharedBy(wrong: readonly string[], right: readonly string[]): Conditions[] {
  const others = new Set(right.flatMap((url) => conditionsOf(url).map(conditionKey)));
  const sets = wrong.map((url) => new Set(conditionsOf(url).map(conditionKey)));
  return conditionsOf(wrong[0]!)
    .filter(({ part }) => part !== 'field' && part !== 'fields' && part !== 'depth')
    .filter((one) => !others.has(conditionKey(one)) && sets.every((set) => set.has(conditionKey(one))))
    .map((one) => ({ only: [], not: [one] }));
}

/** If an empty field was wrong behind another field of its name, the rule leaves all such URLs alone. */
function afterAnother(rule: Rule, wrong: readonly string[]): Conditions[] {
  if (rule.kind !== 'step' || rule.step !== 'drop-empty-fields') return [];
  const names = partsOf(wrong[0]!).fields.flatMap(({ name, value }) => (value === '' ? [`&${name}=`] : []));
  return names
    .filter((is) => wrong.every((url) => url.includes(is)))
    .map((is) => ({ only: [], not: [{ part: 'text', is }] }));
}

function changesAny(rule: Rule, urls: readonly string[], forms: SiteForms): boolean {
  const hypothesis = hypothesisOf([rule], { prior: 1 });
  return urls.some((url) => forms.changes(hypothesis, forms.looseForm(url)));
}
