// Which rules of a file are applied to URLs, and how? For the commands that canonize.
import { agreeing, many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import type { CanonizerOptions } from '../../../canonize/canonizer.js';
import { likelyWords } from '../../../report/render.js';
import { heldLine } from '../../../report/rule-words.js';
import { heldNames } from '../../../rule/held-back.js';
import { everySite, type Rule, type RulesFile } from '../../../rule/rule.js';
import { type Accept, accepts, isCandidate, isLeftOut, isPending, isPinned, isVetoed } from '../../../rule/standing.js';
import { ruleMention } from '../../../rule/words/sentence.js';
import { LOCAL_FILE, type RuleFlags } from '../../flags/rules.js';
import { type Composing, composingOf } from '../input/reading.js';
import { loadMarkedRules } from './load.js';

/** Arguments of `createCanonizer`, as plain data that can be sent to another thread. */
export interface RulesInUse {
  readonly rules: readonly Rule[];
  readonly options: CanonizerOptions;
}

/** The rules in use, and the rules that are not used for some reason. */
export interface LoadedRules extends RulesInUse {
  readonly vetoed: readonly Rule[];
  /** The rules in use and those that are only keys; undefined if there are no keys. */
  readonly keyed: readonly Rule[] | undefined;
  /** Rules that are not used because they only add text. */
  readonly leftOut: readonly Rule[];
  /** Rules that are accepted, but only keys because they may mean money or choice. */
  readonly held: readonly Rule[];
  /** All rules of the file: their examples are URLs of the log. */
  readonly examples: readonly Rule[];
  /** How URLs of a list are composed for these rules. */
  readonly composing: Composing;
  /** The inputs that the rules were mined from. */
  readonly inputs: RulesFile['inputs'];
}

/**
 * The accepted rules of the file. Throws a UserError with the reason if there are none, as there is nothing to do then.
 */
export async function loadRulesInUse(
  options: RuleFlags & { readonly unique?: boolean },
  effects: Effects,
): Promise<LoadedRules> {
  const { rules: name, accept } = options;
  const file = await loadMarkedRules(name, options, effects);
  reportLeftOut(file.rules, options, effects);
  const loaded = inUseOf(file, options);
  if (accept === 'valid' && isNothing(loaded, options)) throw new UserError(noValidRule(file.rules, printable(name)));
  if (options.quiet !== true && file.rules.some(({ pin }) => pin === true || pin === 'local')) {
    const { warnOfIdlePins } = await import('./no-effect.js');
    warnOfIdlePins(file, effects);
  }
  if (loaded.options.pinsStay === true && options.quiet !== true) warnOfStaying(loaded.rules, effects);
  return loaded;
}

/** The accepted rules of the file. */
export function inUseOf(
  file: RulesFile,
  { accept, maxIterations, local }: Pick<RuleFlags, 'accept' | 'maxIterations' | 'local'>,
): LoadedRules {
  const rules = file.rules.filter((rule) => accepts(rule, accept));
  const keyed = file.rules.filter((rule) => accepts(rule, accept, 'key'));
  const { normalization: normalize, urlForm } = file;
  return {
    rules,
    vetoed: file.rules.filter((rule) => isVetoed(rule) && accepts({ ...rule, veto: false }, accept)),
    keyed: keyed.length > rules.length ? keyed : undefined,
    leftOut: leftOutOf(file.rules, accept),
    held: keyed.filter((rule) => heldNames(rule).length > 0),
    examples: file.rules,
    composing: composingOf(file),
    inputs: file.inputs,
    options: {
      normalize,
      accept,
      maxIterations,
      urlForm,
      sitePolicy: file.options.site,
      pinsStay: local === undefined,
    },
  };
}

/** True if there is nothing to do with these rules. */
function isNothing({ rules, keyed }: LoadedRules, { unique }: { readonly unique?: boolean }): boolean {
  return rules.length === 0 && !(keyed !== undefined && unique === true);
}

/** Warns of pins that are ignored because they lead to another host, and says how to allow them. */
function warnOfStaying(rules: readonly Rule[], effects: Effects): void {
  for (const rule of rules) {
    if (rule.pin !== 'local' || rule.kind !== 'substring' || !rule.to.includes('//')) continue;
    effects.stderr.write(
      `dustbuster: ${ruleMention(rule)} is pinned by a file that nobody named, so it leads to no other site; ` +
        `if it is to, name the file with --local ${LOCAL_FILE}\n`,
    );
  }
}

function noValidRule(rules: readonly Rule[], name: string): string {
  const vetoed = rules.filter(isVetoed).length;
  const pending = rules.filter(isPending);
  const refused = vetoed === 0 ? '' : `, ${vetoed} vetoed`;
  const invalid = rules.length - pending.length - vetoed;
  const found = `no valid rule in ${name}: ${likelyWords(pending)}, ${invalid} invalid${refused}`;
  const keys = rules.filter((rule) => accepts(rule, 'valid', 'key'));
  if (keys.length > 0) {
    const held = heldLine(keys).trimEnd();
    const why = held === '' ? '' : ` ${held}.`;
    return `${found}, ${keys.length} that are only keys. Expected rules that write URLs; canonize --unique uses keys.${why}`;
  }
  if (pending.length === 0) return `${found}. Expected rules that passed validation; mine a longer log.`;
  const confident = rules.filter((rule) => accepts(rule, 'confident')).length;
  const offer =
    confident === 0
      ? '--accept likely uses those that the log suggests'
      : `--accept confident uses the ${confident} that the log itself makes nearly sure, --accept likely all of them`;
  return `${found}. Expected rules that passed validation: run dustbuster validate. Without it, ${offer}.`;
}

// Rules that were mined with hosts hold for URLs with these hosts. A path without a host belongs to no site, so no rule
// changes it. `awk '{ print $7 }'` on the mined log gives a list of such paths.

/** A hint if most lines are paths that no rule can change; otherwise undefined. */
export function pathsWords(lines: readonly string[], loaded: LoadedRules): string | undefined {
  const some = lines.filter((line) => line.trim() !== '');
  const paths = some.filter((line) => /^\/(?!\/)/.test(line)).length;
  const { rules } = loaded;
  if (2 * paths <= some.length || rules.length === 0 || rules.some(isOfAnyHost)) return undefined;
  const origin = printable(originOf(loaded));
  return `a path without a host is of no site, and these rules are of hosts: put scheme and host before it, as in sed 's|^/|${origin}/|'`;
}

function isOfAnyHost({ site }: Rule): boolean {
  return site === '' || site === everySite;
}

/** Scheme and host of the site, if the rules file has them; otherwise a placeholder. */
function originOf({ composing: { base }, examples }: LoadedRules): string {
  const urls = [base ?? '', ...examples.flatMap((rule) => rule.examples.map(([url]) => url))];
  const origins = urls.map((url) => /^https?:\/\/[^/?#|'\\&\s]+/i.exec(url)?.[0]);
  return origins.find((origin) => origin !== undefined) ?? 'https://www.example.com';
}

// Some rules are not applied because they only add text, and some are applied although they are more likely wrong than
// right. Both are reported: the user may want to pin the former, and not to accept the latter.

const MOST_SHOWN = 3;

/** Rules that `accept` would allow if they did not only add text. */
export function leftOutOf(rules: readonly Rule[], accept: Accept): readonly Rule[] {
  return rules.filter((rule) => isLeftOut(rule) && accepts({ ...rule, word: 'redirect' }, accept));
}

/** Writes one line on standard error if there are such rules. */
export function reportLeftOut(
  rules: readonly Rule[],
  { accept, quiet }: { readonly accept: Accept; readonly quiet?: boolean },
  effects: Effects,
): void {
  const left = leftOutOf(rules, accept);
  if (left.length === 0 || quiet === true) return;
  const shown = left.slice(0, MOST_SHOWN).map(ruleMention);
  const list = [...shown, ...(left.length > MOST_SHOWN ? ['…'] : [])].join(', ');
  const [who, are, them] =
    left.length === 1 ? ['1 rule only adds', 'is', 'it'] : [`${left.length} rules only add`, 'are', 'them'];
  effects.stderr.write(
    `dustbuster: ${who} text (${list}) and ${are} not applied; pin ${them} if the site wants ${them}\n`,
  );
}

/** Warns on standard error if most of the measured rules are candidates that nobody would deploy. */
export function reportCandidates(
  rules: readonly Rule[],
  { accept, quiet }: { readonly accept: Accept; readonly quiet?: boolean },
  effects: Effects,
): void {
  const used = rules.filter((rule) => accepts(rule, accept));
  const candidates = used.filter((rule) => isCandidate(rule) && !isPinned(rule)).length;
  if (candidates === 0 || quiet === true) return;
  const confident = rules.filter((rule) => accepts(rule, 'confident')).length;
  effects.stderr.write(
    `dustbuster: --accept ${accept} uses ${many(used.length, 'rule')}, as canonize does; ` +
      `${agreeing(candidates, '1 of them is a candidate', `${candidates} of them are candidates`)}, with a confidence ` +
      `below .5. --accept confident uses ${confident}\n`,
  );
}
