// A site that knows its own rules, from its log to canonical URLs, by the program as a user runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { readRules } from '../../src/rule/file.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Rule, SubstringRule } from '../../src/rule/rule.js';
import { run, scratchFolder } from '../cli/process.js';
import { judge, plantedSite, type PlantedSite } from '../planted.js';
import type { TwinPair } from '../twin.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

const latin1 = (text: string) => Buffer.from(encodeText(text)).toString('latin1');

function asPair({ anchor, from, to, support, against }: SubstringRule): TwinPair {
  return { anchor, from: latin1(from), to: latin1(to), ...support, against };
}

/** {@link judge} for rules of both kinds. */
function judgeRule(documents: PlantedSite['documents'], rule: Rule): { instances: number; same: number } {
  if (rule.kind === 'substring') return judge(documents, asPair(rule));
  const compiled = compileRule(rule);
  let [instances, same] = [0, 0];
  for (const [url, document] of documents) {
    const image = Buffer.from(imageOf(compiled, Buffer.from(url, 'latin1'), 0)).toString('latin1');
    if (image === url || !documents.has(image)) continue;
    instances++;
    if (documents.get(image) === document) same++;
  }
  return { instances, same };
}

describe.each([
  ['without hosts', 11, false],
  ['with hosts', 12, true],
] as const)('a planted site %s', (name, seed, host) => {
  const site = plantedSite(seed, { host, pages: 600 });
  const at = (file: string) => join(folder.path, `${name.replaceAll(' ', '-')}-${file}`);
  let rules: readonly Rule[] = [];
  let pairs: string[][] = [];

  beforeAll(async () => {
    writeFileSync(at('access.log'), `${site.lines.join('\n')}\n`);
    const mined = await run(['mine', at('access.log'), '-q', '-o', at('rules.json'), '--memory', '1m']);
    expect([mined.code, mined.stderr]).toEqual([0, '']);
    rules = readRules(readFileSync(at('rules.json')), 'rules').rules;
    const { stdout } = await run(['mine', at('access.log'), '-q', '--stage', 'pairs', '--tsv']);
    pairs = stdout
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
  });

  test('has every planted rule among its pairs, and no wrong rule among the first 10', () => {
    const found = new Set(pairs.map(([, anchor, from, to]) => `${anchor} ${from} ${to}`));
    const planted = site.truth.filter(({ dust }) => dust);
    expect(planted.length).toBeGreaterThan(4);
    for (const { from, to, note } of planted) expect(found, note).toContain(`none ${from} ${to}`);
    const wrong = rules.slice(0, 10).filter((rule) => {
      const { instances, same } = judgeRule(site.documents, rule);
      return 2 * same <= instances;
    });
    expect(wrong).toEqual([]);
  });

  test('ranks rules that join different documents in the lower half', () => {
    const firstTrap = rules.findIndex((rule) => judgeRule(site.documents, rule).same === 0);
    expect(firstTrap < 0 || firstTrap / rules.length > 0.5).toBe(true);
  });

  test('is canonized to fewer URLs, hardly one of them of two documents, and twice is once', async () => {
    // What validation would leave: the rules that hold on this site.
    const file = JSON.parse(readFileSync(at('rules.json'), 'utf8')) as {
      rules: Rule[];
    };
    file.rules = file.rules
      .filter((rule) => {
        const { instances, same } = judgeRule(site.documents, rule);
        return instances > 0 && same === instances;
      })
      .map((rule) => ({ ...rule, status: 'valid' as const }));
    writeFileSync(at('valid.json'), JSON.stringify(file));
    const input = `${site.urls.map(({ url }) => url).join('\n')}\n`;
    const once = await run(['canonize', '-r', at('valid.json')], { input });
    const twice = await run(['canonize', '-r', at('valid.json')], { input: once.stdout });
    expect([once.code, twice.stdout.equals(once.stdout)]).toEqual([0, true]);
    const forms = once.stdout.toString('latin1').trimEnd().split('\n');
    const documentsOf = new Map<string, Set<number>>();
    forms.forEach((form, row) => {
      const document = site.documents.get(site.urls[row]!.url)!;
      documentsOf.set(form, (documentsOf.get(form) ?? new Set()).add(document));
    });
    const merged = [...documentsOf.values()].filter((documents) => documents.size > 1);
    expect(merged.length / documentsOf.size).toBeLessThan(0.01);
    const names = site.urls.length;
    const documents = new Set(site.documents.values()).size;
    expect((names - documentsOf.size) / (names - documents)).toBeGreaterThan(0.6);
  });
});
