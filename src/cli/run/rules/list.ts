// `dustbuster rules`: what do the rules in use say? One sentence a rule, whole, at the width of the terminal.
//
//     id        rule
//     9714rk03  Repeated slashes in the path become one on every page.
import { agreeing, many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { createSink, pour } from '../../../base/output.js';
import { heldLine, openWords } from '../../../report/rule-words.js';
import { type TextRow, textTable } from '../../../report/text-table.js';
import { heldNames } from '../../../rule/held-back.js';
import { idOf } from '../../../rule/id.js';
import { passedOn } from '../../../rule/passed-on.js';
import type { Rule } from '../../../rule/rule.js';
import { accepts, isKey, isPending, isPinned } from '../../../rule/standing.js';
import { ruleSentence } from '../../../rule/words/sentence.js';
import type { RulesFlags } from '../../flags/rules-files.js';
import { widthOf } from '../../terminal/stream.js';
import { loadMarkedRules } from './load.js';

export async function listRules(name: string, flags: RulesFlags, effects: Effects): Promise<void> {
  const file = await loadMarkedRules(name, flags, effects);
  const rules = file.rules.flatMap((rule) => passedOn(rule) ?? []);
  const used = rules.filter((rule) => accepts(rule, flags.accept, 'key'));
  const withSite = new Set(used.map(({ site }) => site)).size > 1;
  const head = ['id', ...(withSite ? ['site'] : []), 'rule'];
  const table = textTable(
    used.map((rule) => rowOf(rule, withSite)),
    { head, right: new Set(), width: widthOf(effects), ...(effects.paint && { paint: effects.paint }) },
  );
  const text = used.length === 0 ? `No rule of ${printable(name)} is ${NAMES[flags.accept]}.\n` : table;
  await pour(
    [text, keysLine(used), heldLine(used), restLine(rules, used, name)],
    createSink(effects.stdout, { isSafe: true }),
  );
}

const NAMES = { valid: 'valid or pinned', confident: 'valid, pinned or sure by the log', likely: 'likely or better' };

function rowOf(rule: Rule, withSite: boolean): TextRow {
  const cells = [idOf(rule), ...(withSite ? [printable(rule.site)] : [])];
  return { cells, texts: [printable(ruleSentence(rule)), ...standingWords(rule)] };
}

/** What the word in the table means. */
function keysLine(used: readonly Rule[]): string {
  if (!used.some(isKey)) return '';
  return (
    'A key says which addresses are one page: canonize --unique, caches and crawlers recognise duplicates by it, and no ' +
    'redirect is written\n'
  );
}

/** What the sentence does not say: that a rule is pinned, only likely, or a key. */
function standingWords(rule: Rule): string[] {
  if (isPinned(rule)) return ['(pinned)'];
  if (isKey(rule))
    return [
      heldNames(rule).length > 0
        ? '(a key, not for redirects: may mean money or choice)'
        : '(a key, not for redirects)',
    ];
  return rule.status === 'valid' ? [] : [`(likely, confidence ${rule.confidence.toFixed(3)})`];
}

function restLine(rules: readonly Rule[], used: readonly Rule[], name: string): string {
  const inUse = new Set(used);
  const others = rules.filter((rule) => !inUse.has(rule));
  if (others.length === 0) return '';
  const open = others.filter(isPending);
  const refused = others.length - open.length;
  const parts = [
    ...(open.length === 0 ? [] : [openWords(open)]),
    ...(refused === 0
      ? []
      : [`${many(refused, 'rule')} ${agreeing(refused, 'that is', 'that are')} refuted or vetoed`]),
  ];
  return `Not shown: ${parts.join(', ')}; dustbuster explain -r ${printable(name)} lists all rules\n`;
}
