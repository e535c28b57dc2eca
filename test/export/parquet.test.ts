import { parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { parquet } from '../../src/export/parquet.js';
import { idOf } from '../../src/rule/id.js';
import type { Rule } from '../../src/rule/rule.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { requestOf } from './arbitrary.js';

const verdict = { source: 'live', positive: 9, negative: 1, unjudged: {}, positives: [], negatives: [] } as const;
const rules: readonly Rule[] = [
  sampleRule('/ü\udcff', '', { anchor: 'end', site: 'example.com', verdict, except: ['/a', '/c?"'] }),
  sampleParameter('sid', {
    rank: 2,
    hosts: { holds: 57, of: 60, least: 0.875, software: 'doku.php' },
    only: [{ part: 'host', is: 'a.example' }],
  }),
  sampleParameter('p', { rank: 3, action: 'set', value: '' }),
  sampleStep('fold-slashes', '', { rank: 4, not: [{ part: 'depth', is: 3 }] }),
];

it('has a row for each rule, with numbers, texts and JSON', async () => {
  const { bytes, carried, left } = parquet.write(requestOf(rules));
  expect([carried, left]).toEqual([rules, []]);
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes!).buffer });
  expect(rows).toHaveLength(4);
  expect(rows.map(({ id }) => id as string)).toEqual(rules.map(idOf));
  const [substring, ofHosts, set, step] = rows;
  const confidence = 0.667;
  expect(substring).toMatchObject({ rank: 1, kind: 'substring', from: '/ü%FF', to: '', confidence, name: null });
  expect(substring).toMatchObject({ source: 'live', positive: 9, negative: 1, except: '["/a","/c?\\""]', only: null });
  expect(ofHosts).toMatchObject({ site: '*', name: 'sid', holds: 57, of: 60, least: 0.875, software: 'doku.php' });
  expect(ofHosts).toMatchObject({ only: '[{"part":"host","is":"a.example"}]', positive: null, value: null });
  expect(set).toMatchObject({ action: 'set', value: '', low: null, groups: 12 });
  expect(step).toMatchObject({ step: 'fold-slashes', not: '[{"part":"depth","is":3}]', chance: null });
});

it('without a rule is a table without rows', async () => {
  const { bytes } = parquet.write(requestOf([]));
  expect(await parquetReadObjects({ file: new Uint8Array(bytes!).buffer })).toEqual([]);
});
