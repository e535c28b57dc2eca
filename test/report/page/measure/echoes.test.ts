// Parameters that pages copy into their links: found where links carry them on, and nowhere else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEchoes } from '../../../../src/cli/run/report/echoes.js';
import { fileInput } from '../../../../src/log/inputs.js';
import { EchoMeter } from '../../../../src/report/page/measure/echoes.js';
import type { EchoRow, ParameterRow } from '../../../../src/report/page/model.js';
import { memoryInput, plainOptions } from '../../../log/reading.js';

const [SITE, OTHER] = ['http://a.test', 'http://b.test'];

type Link = readonly [page: string, target: string];

function rowsOf(links: readonly Link[], parameters: readonly ParameterRow[] = []): readonly EchoRow[] {
  const meter = new EchoMeter();
  for (const [page, target] of links) meter.add(page, target);
  const urls = links.map(([text]) => ({ text }));
  const templateOf = (url: string) => url.replace(/^http:..[^/]*|\d+.*|\?.*/g, '');
  return meter.finish({ parameters, urls, templateOf }).echoes ?? [];
}

function links(count: number, link: (k: number) => Link): Link[] {
  return Array.from({ length: count }, (_, k) => link(k));
}

/** A parameter that many comparisons call irrelevant, or few. */
function parameter(name: string, same: number): ParameterRow {
  const groups = { same, different: 0, silent: 0 };
  const counts = { urls: 40, hits: 40, values: 40, areMore: false, commonest: [], sizeRatio: 1 };
  return { site: 'a.test', name, ...counts, groups, class: 'irrelevant', reason: '' };
}

const pagers = (name: string) =>
  links(30, (k) => [
    `${SITE}/list${k}/?${name}=x${k}`,
    `${SITE}/list${k}/?page=2${k % 3 === 0 ? `&${name}=x${k}` : ''}`,
  ]);

describe('echoes', () => {
  it('are trackers that a third of the links of lists carry on', () => {
    expect(rowsOf([...pagers('fbclid'), ...links(40, (k) => [`${SITE}/item${k}?fbclid=y${k}`, `${SITE}/`])])).toEqual([
      {
        name: 'fbclid',
        followed: 70,
        carried: 10,
        growth: 10 / 70,
        templates: ['/list'],
        example: [`${SITE}/list0/?fbclid=x0`, `${SITE}/list0/?page=2&fbclid=x0`],
      },
    ]);
  });

  it.each([
    ['a parameter of which enough comparisons say that it changes nothing', [parameter('zz', 12)], ['zz']],
    ['not one of which few say so', [parameter('zz', 9)], []],
    ['not one of which none does', [], []],
  ] as const)('are %s', (_, parameters, names) => {
    expect(rowsOf(pagers('zz'), parameters).map(({ name }) => name)).toEqual(names);
  });

  it('are no trackers of which the table of parameters says that pages change by them', () => {
    const changing: ParameterRow = { ...parameter('mc_eid', 4), class: 'changes' };
    expect(rowsOf(pagers('mc_eid'), [changing])).toEqual([]);
    expect(rowsOf(pagers('mc_eid'), [parameter('mc_eid', 4)]).map(({ name }) => name)).toEqual(['mc_eid']);
  });

  it.each<[string, Link[]]>([
    ['links that do not carry it on', links(60, (k) => [`${SITE}/list?gclid=${k}x`, `${SITE}/item${k}`])],
    ['another value', links(60, (k) => [`${SITE}/list?gclid=${k}x`, `${SITE}/item?gclid=${k}y`])],
    ['pages of others', links(60, (k) => [`${OTHER}/?gclid=${k}`, `${SITE}/item?gclid=${k}`])],
    ['a page that is loaded again', links(60, (k) => [`${SITE}/?gclid=${k}`, `${SITE}/?gclid=${k}`])],
    ['four links', pagers('gclid').slice(0, 12)],
  ])('are not found in %s', (_, some) => {
    expect(rowsOf(some)).toEqual([]);
  });

  it('are found where the log has no hosts, by the host of most referrers', () => {
    const own = pagers('fbclid').map(([page, target]): Link => [page, target.slice(SITE.length)]);
    const others = links(20, (k) => [`${OTHER}/?gclid=${k}`, `/item?gclid=${k}`]);
    expect(rowsOf([...own, ...others]).map(({ name, carried }) => [name, carried])).toEqual([['fbclid', 10]]);
  });
});

describe('reading them', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'echoes-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('takes pages with a query from files, and documents only; what is no file is not read again', async () => {
    const line = (target: string, referrer: string) =>
      `a.test:80 1.2.3.4 - - [x] "GET ${target} HTTP/1.1" 200 5 "${referrer}" "Mozilla/5.0"\n`;
    const log = pagers('fbclid')
      .map(([page, target]) => line(target.slice(SITE.length), page) + line('/a.css', page) + line('/b', `${SITE}/`))
      .join('');
    const path = join(folder, 'access.log');
    writeFileSync(path, log);
    const context = { parameters: [], urls: [], templateOf: () => '/list' };
    const found = await readEchoes([fileInput('access.log', path)], plainOptions);
    expect(found.finish(context).echoes).toMatchObject([{ name: 'fbclid', followed: 30, carried: 10 }]);
    const nothing = await readEchoes([memoryInput(Buffer.from(log))], plainOptions);
    expect(nothing.finish(context)).toEqual({});
  });
});
