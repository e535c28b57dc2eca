// The report on one page of text, and its fixes as CSV.
import { expect, test } from 'vitest';
import type { ReportModel } from '../../../../src/report/page/model.js';
import { fixesCsv } from '../../../../src/report/page/render/fixes-csv.js';
import { renderPage } from '../../../../src/report/page/render/render.js';
import { summaryText } from '../../../../src/report/page/render/summary.js';
import { idOf } from '../../../../src/rule/id.js';
import { sampleParameter } from '../../../rule/sample.js';
import { HOSTILE, plantedModel } from '../planted-model.js';

const model = plantedModel({ rules: 40 });

test('the summary is one page: the answer, each fix, and what is to be proved', () => {
  const toProve = { rules: 3, urls: 94, time: '40 minutes', logs: ['a.log'] };
  const text = summaryText({ ...model, toProve });
  const lines = text.split('\n');
  expect(lines.length).toBeLessThan(60);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(120);
  expect(text).toMatch(/took .* of all hits/);
  expect(text).toContain('To do first: ');
  expect(lines.filter((line) => /^ +\d+\. /.test(line))).toHaveLength(5);
  expect(text).toContain('    dustbuster mine a.log --fetch\n');
  // A log without hosts cannot be asked for without one.
  expect(summaryText({ ...model, toProve: { ...toProve, base: 'https://a.test' } })).toContain(
    '    dustbuster mine a.log --fetch --base https://a.test\n',
  );
});

test('each fix has the command that writes its lines; rules of a log alone have to be written first', () => {
  const [fix] = model.log!.fixes;
  const ids = model.rules.flatMap(({ rule }) => (fix!.rules.includes(rule.rank) ? [idOf(rule)] : []));
  const few = { ...model, log: { ...model.log!, fixes: [fix!] } };
  const named = (some: ReportModel) => summaryText(some).replace(/ \\\n +/g, ' ');
  const command = (file: string) =>
    `dustbuster export${file} --accept likely --to nginx --status 302 --rule ${ids.join(' ')}\n`;
  const likely = { ...few, rulesFile: { ...few.rulesFile, accept: 'likely' as const, name: 'my rules.json' } };
  expect(named(likely)).toContain(command(" 'my rules.json'"));
  const toProve = { rules: 0, urls: 0, time: '', logs: ['a b.log'] };
  expect(named({ ...likely, toProve })).toContain(command(''));
  expect(named({ ...likely, toProve })).toContain("    dustbuster mine 'a b.log'\n");
  expect(renderPage({ ...likely, toProve })).toContain('<code>dustbuster mine &#39;a b.log&#39;</code>');
});

test('what the fixes of an earlier report did is on it', () => {
  const fix = {
    title: 'The parameter `sid` is dropped',
    site: 'a.test',
    proposedBy: 'old.json',
    promised: { urls: 3, hits: 40 },
    promisedShare: 0.1,
    state: 'partly',
    redirected: 30,
    redirectedUrls: 2,
    already: 3,
    left: 10,
    leftShare: 0.025,
    since: '2026-11-20',
    did: 0.75,
    broken: 0,
    chained: 0,
  } as const;
  const reports = [{ name: 'old.json', hits: 400, duplicateHits: 40 }];
  const before = { reports, did: 0.75, fixes: [fix], lost: [], weeks: [], notes: [] };
  const text = summaryText({ ...model, before });
  expect(text).toContain('Since old.json: 75.0 % of what the fixes promised has come about.\n');
  expect(text.replace(/\s+/g, ' ')).toContain(
    'is dropped: done in part since 2026-11-20; 40 hits promised, 30 redirected now (3 without the fix too), 10 left',
  );
  // As the command line says it, which must not say that 90 % is less than 90 %.
  expect(summaryText({ ...model, before: { ...before, did: 0.8999 } })).toContain('Since old.json: 89.9 % of');
  expect(renderPage({ ...model, before: { ...before, did: 0.8999 } })).toContain('the fixes promised, 89.9');
  expect(summaryText(model)).not.toContain('come about');
});

test('what may mean money or choice is named', () => {
  const rule = sampleParameter('aff', { use: 'key', status: 'likely' });
  const rules = [...model.rules, { rule, standing: 'likely, a key', isApplied: false }];
  expect(summaryText({ ...model, rules })).toContain('1 rule may mean money or choice (aff)');
  expect(renderPage({ ...model, rules })).toContain('<h3 id="held">Yours to decide');
  expect(renderPage(model)).not.toContain('id="held"');
  const vetoed = [...model.rules, { rule: { ...rule, veto: true as const }, standing: 'vetoed', isApplied: false }];
  expect(summaryText({ ...model, rules: vetoed })).not.toContain('money or choice');
  expect(renderPage({ ...model, rules: vetoed })).not.toContain('id="held"');
});

test('the summary of a hostile log has no control characters', () => {
  const fixes = model.log!.fixes.map((fix, at) => ({ ...fix, title: HOSTILE[at % HOSTILE.length]! }));
  const text = summaryText({ ...model, log: { ...model.log!, fixes } });
  expect(text.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}]/gu)).toBeNull();
});

test('the CSV has a line for each fix, then for each to be proved, and no formulas', () => {
  const unproven = [{ title: '=1+1', site: 'a.test', rules: [1], touched: 3, saved: 2, confidence: 0.9 }];
  const [head, ...rows] = fixesCsv({ ...model.log!, unproven }, model.rules)
    .trimEnd()
    .split('\n');
  const id = idOf(model.rules.find(({ rule }) => rule.rank === 1)!.rule);
  expect(rows).toHaveLength(6);
  const cells = head!.split(',').length;
  expect(rows.at(-1)).toBe("'=1+1".padStart(6, ',') + ',,a.test,to be proved,0.900,,3,,,,2,,,' + id);
  expect(rows.at(-1)!.split(',')).toHaveLength(cells);
});
