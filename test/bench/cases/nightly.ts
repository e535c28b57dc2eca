// A night's log into the state of the nights before, against mining all of them anew.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import type { RulesFile } from '../../../src/rule/rule.js';
import { dustbuster, sameAnswer, type Bench, type Case, type Way } from '../bench.js';
import { outputOf, runOnce } from '../measure.js';
import { accessLog } from './log.js';
import { siteTable } from './phase-1.js';

export const nightly: Case = {
  name: 'nightly',
  async run(bench) {
    const [held, lines] = bench.isQuick ? [100_000, 100_000] : [10_000_000, 1_000_000];
    const table = await siteTable(bench, held);
    const log = await accessLog(bench, 'vhost', lines);
    const before = bench.scratch('state-before');
    await outputOf([...mine(bench, '--state', before, table, '-o', bench.scratch('before.json'))], 'stderr');
    const same = sameAnswer('rules of both ways');
    const folding = (who: string, args: readonly string[], files: readonly string[]): Way => {
      const state = bench.scratch('state');
      const rules = bench.scratch('nightly-rules.json');
      return {
        who,
        run: () => {
          rmSync(state, { recursive: true, force: true });
          if (args.includes('--state')) cpSync(before, state, { recursive: true });
          return runOnce(
            mine(bench, ...args.map((arg) => (arg === '' ? state : arg)), '-o', rules, ...files),
            rules + '.out',
          );
        },
        runs: 1,
        check: () => same(whatRulesSay(rules)),
      };
    };
    await bench.compare({
      work: `a log of ${lines} lines on top of ${held} URLs, and mining all`,
      count: held,
      unit: 'URLs',
      ways: [
        folding('dustbuster mine --state', ['--state', ''], [log]),
        folding('dustbuster mine, all anew', [], [table, log]),
      ],
    });
    rmSync(before, { recursive: true, force: true });
  },
};

function mine({ threads }: Bench, ...args: readonly string[]): readonly string[] {
  return dustbuster('mine', '-q', '--threads', String(threads), ...args);
}

/** All but the histories, which only a state has. */
function whatRulesSay(path: string): string {
  const { urls, rules } = JSON.parse(readFileSync(path, 'utf8')) as RulesFile;
  return JSON.stringify([urls, rules.map(({ history: _history, ...rule }) => rule)]);
}
