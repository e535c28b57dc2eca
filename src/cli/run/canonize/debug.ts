// `--debug`: which way did a URL take to its form, and which rules changed it? A line for each of the first URLs, and
// sums at the end, on standard error.
import { many } from '../../../base/amounts.js';
import { decodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { createBlockCanonizer, type LineCanonizer, type Way } from '../../../canonize/canonizer.js';
import { contentEnd } from '../../../canonize/forms.js';
import type { Ending } from '../../../canonize/rounds.js';
import type { Rule } from '../../../rule/rule.js';
import type { LoadedRules } from '../rules/in-use.js';

/** So many URLs have a line of their own. */
const MOST_SHOWN = 100;
/** Sums are shown of so many rules, those that changed most URLs. */
const MOST_RULES = 20;

const WAYS: Readonly<Record<Way, string>> = {
  kernel: 'kernel',
  rounds: 'JavaScript, rules found by the kernel',
  'all rules': 'JavaScript, all rules tried',
};

const NO_URL = 'not a URL';

export interface DebuggedCanonizer extends LineCanonizer {
  readonly unsettled: number;
  /** Writes the sums. */
  end(): void;
}

export function debugCanonizer({ rules, options }: LoadedRules, { stderr }: Effects): DebuggedCanonizer {
  const canonizer = createBlockCanonizer(rules, options);
  const { canonical } = canonizer;
  const ofWays = new Map<string, number>();
  const ofRules = new Map<Rule, number>();
  let urls = 0;
  let unsettled = 0;

  function show(url: Uint8Array, how: string, changes: ReadonlyMap<Rule | undefined, number>): void {
    const form = canonical.isChanged ? ` -> ${text(canonical.bytes, canonical.start, canonical.end)}` : '';
    stderr.write(`debug: ${text(url, 0, url.length)}${form}: ${[how, ...changesOf(changes)].join('; ')}\n`);
  }

  return {
    canonical,
    get unsettled() {
      return unsettled;
    },
    canonizeLine(bytes, start, limit) {
      const end = contentEnd(bytes, start, limit);
      const url = bytes.slice(start, end);
      const changes = new Map<Rule | undefined, number>();
      const ending = canonizer.trace(url, (_round, rule) => changes.set(rule, (changes.get(rule) ?? 0) + 1));
      const how = howOf(canonizer.way, ending);
      if (ending === 'unsettled') unsettled++;
      addTo(ofWays, how);
      for (const rule of changes.keys()) if (rule !== undefined) addTo(ofRules, rule);
      if (urls++ < MOST_SHOWN) show(url, how, changes);
      return end;
    },
    end() {
      const ways = Array.from(ofWays, ([how, count]) =>
        how === NO_URL ? `${count} ${how}` : `${many(count, 'URL')} by ${how}`,
      );
      stderr.write(`debug: ${[many(urls, 'line'), ...ways].join('; ')}\n`);
      const most = [...ofRules].sort(([, a], [, b]) => b - a);
      for (const [rule, count] of most.slice(0, MOST_RULES))
        stderr.write(`debug: rule ${rule.rank} changed ${many(count, 'URL')}\n`);
      if (most.length > MOST_RULES) stderr.write(`debug: and ${many(most.length - MOST_RULES, 'more rule')}\n`);
    },
  };
}

function howOf(way: Way, ending: Ending): string {
  if (ending === 'no URL') return NO_URL;
  return ending === 'settled' ? WAYS[way] : `${WAYS[way]} (${ending})`;
}

/** `rules 3, 7 (2 times)`, and whether the URL was normalised. */
function changesOf(changes: ReadonlyMap<Rule | undefined, number>): string[] {
  const normalised = changes.has(undefined) ? ['normalised'] : [];
  const rules = [...changes].flatMap(([rule, times]) =>
    rule === undefined ? [] : [times > 1 ? `${rule.rank} (${times} times)` : `${rule.rank}`],
  );
  if (rules.length === 0) return normalised.length > 0 ? normalised : ['no rule'];
  return [...normalised, `${rules.length > 1 ? 'rules' : 'rule'} ${rules.join(', ')}`];
}

function addTo<K>(sums: Map<K, number>, key: K): void {
  sums.set(key, (sums.get(key) ?? 0) + 1);
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return printable(decodeText(bytes, start, end));
}
