// In which order must edits be made, so that one pass gives the form that `canonize` reaches in rounds? The order is
// found by trial: rules are added in rank order, each at the place where the most URLs reach that form at once and no
// URL reaches another form. The URLs come from the log and from combining the rule's text with texts of other rules
// (`probes`):
//
//     www. → bare, then m. → www.      the second goes before the first, so that m. is led to bare in one redirect
//     index.html, then the last slash  in this order, and `/index.html/` is left alone, as it would take two
//
// A rule without such a place is left out. Guards make sure that no URL takes two redirects, whatever the trials missed
// (`guardsOf`).
import { latin1 } from '../../base/bytes.js';
import { createCanonizer } from '../../canonize/canonizer.js';
import type { Rule } from '../../rule/rule.js';
import { isUrl } from '../../url/form.js';
import type { ExportRequest, LeftOut } from '../target.js';
import { compile, type CompileOptions } from './compile.js';
import { composed, createForms, guardsOf, meet, type Edits, type Unit } from './edit.js';
import { joined } from './parameter.js';
import { probesOf } from './probes.js';

/** An administrator would not read more rules than this, and a request should not wait for more. */
const MOST_RULES = 100;

/** Edits for software that redirects people to the form. */
export function redirectEdits(request: ExportRequest): Edits {
  return editsOf(request, { isRedirected: true });
}

export function redirectForms(request: ExportRequest): (url: string) => string {
  return createForms(redirectEdits(request).units);
}

export interface EditsOptions extends Pick<CompileOptions, 'isRedirected'> {
  /** Returns the reason why these units do not fit into the software, or undefined. */
  readonly refuse?: (units: readonly Unit[]) => string | undefined;
}

export function editsOf(request: ExportRequest, { isRedirected, refuse }: EditsOptions): Edits {
  const options = { urlForm: request.urlForm, sitePolicy: request.sitePolicy, isRedirected };
  const left: LeftOut[] = [];
  let units: readonly Unit[] = [];
  let carried: readonly Rule[] = [];
  for (const rule of request.rules) {
    const unit =
      carried.length < MOST_RULES ? compile(rule, options) : `comes after the ${MOST_RULES} rules that a server gets`;
    const more = typeof unit === 'string' ? unit : withUnit(units, unit, trialOf(rule, unit, units, request));
    const reason = typeof more === 'string' ? more : refuse?.(more);
    if (typeof more === 'string' || reason !== undefined) left.push({ rule, reason: reason ?? '' });
    else {
      units = more;
      carried = [...carried, rule];
    }
  }
  const ended = composed(units);
  return { units: ended, guards: ended.length === 0 ? [] : guardsOf(ended), carried, left };
}

/** Maps each URL to its form by the rules so far and the rule that is being added. */
type Trial = ReadonlyMap<string, string>;

function trialOf(rule: Rule, unit: Unit, units: readonly Unit[], request: ExportRequest): Trial {
  const rules = [...units.flatMap((other) => other.rules), rule].sort((a, b) => a.rank - b.rank);
  const near = new Set([rule, ...units.filter((other) => mayMeet(unit, other, units)).flatMap((other) => other.rules)]);
  const canonize = canonizerOf(rules, request);
  const isForPaths = request.urlForm === 'path';
  const forms = new Map<string, string>();
  const add = (url: string) => {
    if (forms.has(url) || !isRequested(url, isForPaths) || hasHostInside(url, rules)) return;
    const form = canonize(url);
    if (form !== undefined) forms.set(url, form);
  };
  for (const other of rules) {
    if (near.has(other)) for (const probe of probesOf(rule, other, { isForPaths })) add(probe);
    for (const [url] of other.examples) add(Buffer.from(url).toString('latin1'));
  }
  // The target of one move may be the start of two others, so try all three.
  const moves =
    unit.move === undefined ? [] : units.filter(({ move }) => move !== undefined).map((one) => one.rules[0]!);
  for (const one of moves)
    for (const other of moves)
      if (one.rank < other.rank) for (const probe of probesOf(one, other, { isForPaths })) add(probe);
  return forms;
}

/** True if the units meet directly or through a third unit. Parameters removed at the same place never do. */
function mayMeet(unit: Unit, other: Unit, units: readonly Unit[]): boolean {
  if (joined(other, unit) !== undefined) return false;
  return meet(unit, other) || units.some((third) => meet(unit, third) && meet(third, other));
}

/** The returned function gives undefined for a URL that is not normalized. */
function canonizerOf(rules: readonly Rule[], request: ExportRequest): (url: string) => string | undefined {
  const { normalization, urlForm, sitePolicy, maxIterations } = request;
  const inUse = rules.map((rule) => ({ ...rule, pin: true }));
  const how = { normalize: normalization, accept: 'likely', maxIterations, urlForm, sitePolicy } as const;
  const canonizer = createCanonizer(inUse, how);
  const prepared = createCanonizer([], how);
  return (url) => {
    const bytes = Buffer.from(url, 'latin1');
    if (!isUrl(bytes) || latin1(prepared.canonize(bytes)) !== url) return undefined;
    return latin1(canonizer.canonize(bytes));
  };
}

function isRequested(url: string, isForPaths: boolean): boolean {
  return (isForPaths ? /^\/[!-"$-~\x80-\xff]*$/ : /^https?:\/\/[^/?#@]+\/[!-"$-~\x80-\xff]*$/).test(url);
}

/** True if `canonize` would change a host inside a value, which a server does not touch. */
function hasHostInside(url: string, rules: readonly Rule[]): boolean {
  return rules.some((rule) => rule.kind === 'substring' && rule.anchor === 'none' && url.includes(rule.from, 9));
}

/** The units with `unit` added at its best place, or the reason why no place fits. */
function withUnit(units: readonly Unit[], unit: Unit, trial: Trial): readonly Unit[] | string {
  let best: readonly Unit[] | undefined;
  let most = right(units, trial);
  for (const place of placesOf(units, unit)) {
    const count = redirected(place, trial);
    if (count !== undefined && count > most) [best, most] = [place, count];
  }
  return best ?? 'would give another form, or a second redirect, together with the other rules';
}

/** How many URLs reach their form. URLs that reach another form do not matter here. */
function right(units: readonly Unit[], trial: Trial): number {
  const formOf = createForms(units);
  let count = 0;
  for (const [url, canonical] of trial) if (canonical !== url && formOf(url) === canonical) count++;
  return count;
}

/** How many URLs reach their form; undefined if one reaches another form. */
function redirected(units: readonly Unit[], trial: Trial): number | undefined {
  const formOf = createForms(units);
  let count = 0;
  for (const [url, canonical] of trial) {
    const form = formOf(url);
    if (form === url) continue;
    if (form !== canonical) return undefined;
    count++;
  }
  return count;
}

/**
 * Places to try: joined with parameters at the same place, at the end, and before each unit that it meets, from the
 * last to the first.
 */
function* placesOf(units: readonly Unit[], unit: Unit): Iterable<readonly Unit[]> {
  const at = units.findIndex((other) => joined(other, unit) !== undefined);
  if (at >= 0) yield units.with(at, joined(units[at]!, unit)!);
  for (let place = units.length; place >= 0; place--) {
    const next = units[place];
    if (next === undefined || meet(next, unit)) yield units.toSpliced(place, 0, unit);
  }
}
