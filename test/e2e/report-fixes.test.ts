// The lines of a report's fixes in real servers, as one pastes them: each alone redirects as many hits of the log as the
// report says, and all together lead every URL to its canonical form. Runs where nginx and Apache are installed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import type { ReportModel } from '../../src/report/page/model.js';
import { writeRules } from '../../src/rule/file.js';
import { run } from '../cli/process.js';
import { lineOf } from '../report/page/visited.js';
import { sampleFile, sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { hasApache, hasNginx, startApache, startNginx } from './export-servers.js';

const valid = { site: 'a.test', status: 'valid' } as const;

const file = sampleFile([
  sampleParameter('utm_source', { ...valid, rank: 1 }),
  sampleRule('http://a.test/old/', 'http://a.test/new/', { ...valid, rank: 2, anchor: 'start' }),
  sampleRule('http://a.test/new/', 'http://a.test/', { ...valid, rank: 3, anchor: 'start' }),
  sampleParameter('s[]', { ...valid, rank: 4 }),
  sampleRule('?do=show', '', { ...valid, rank: 5, anchor: 'end' }),
  sampleRule('_dustbuster', '-', { ...valid, rank: 6, anchor: 'end' }),
  sampleStep('fold-slashes', '', { ...valid, rank: 7 }),
]);

const tails = ['', '', '?x=1', '?do=show', '?utm_source=m', '?x=1&utm_source=m&s[]=q', '?s[]=q', '-', '_dustbuster'];
const paths = ['a', 'b', 'c/d', 'e'].flatMap((page) => [
  ...tails.map((tail) => `/${page}${tail}`),
  ...['/old/', '/new/', '//', '//old/'].map((start) => `${start}${page}?x=1`),
  `//old/${page}?s[]=q&utm_source=m`,
]);
const urls = paths.map((path) => `http://a.test${path}`);
const box = mkdtempSync(join(tmpdir(), 'dustbuster-fixes-'));
let fixes: NonNullable<ReportModel['log']>['fixes'];

beforeAll(async () => {
  writeFileSync(join(box, 'rules.json'), [...writeRules(file)].join(''));
  writeFileSync(join(box, 'access.log'), urls.map((url) => lineOf({ url })).join(''));
  const args = ['report', 'rules.json', '--log', 'access.log', '--json'];
  fixes = (JSON.parse((await run(args, { cwd: box })).stdout.toString()) as ReportModel).log!.fixes;
}, 60_000);
afterAll(() => rmSync(box, { recursive: true, force: true }));

const servers = [
  ['nginx', hasNginx, startNginx],
  ['apache', hasApache, startApache],
] as const;

describe.each(servers)('%s with the lines of a report', { timeout: 120_000 }, (name, isThere, start) => {
  const linesOf = (fix: (typeof fixes)[number]) =>
    fix.lines.filter(({ target }) => target === name).map(({ text }) => text);

  it.skipIf(!isThere)('redirects by 302 as many hits for each fix as the report says', async () => {
    expect(fixes).toHaveLength(5);
    for (const fix of fixes) {
      const server = await start(...linesOf(fix));
      try {
        const answers = await Promise.all(urls.map((url) => server.announced(url)));
        const moved = urls.filter((_, at) => answers[at]!.location !== undefined);
        expect({ hits: moved.length, urls: new Set(moved).size }).toMatchObject({
          hits: fix.redirected.hits,
          urls: fix.redirected.urls,
        });
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 302]));
        const { options, urlForm, normalization } = file;
        const rules = file.rules.filter(({ rank }) => fix.rules.includes(rank));
        const how = {
          accept: 'valid',
          maxIterations: 10,
          urlForm,
          normalize: normalization,
          sitePolicy: options.site,
        } as const;
        const canonizer = createCanonizer(rules, how);
        for (const url of urls) {
          expect([url, (await server.end(url)).url]).toEqual([url, decodeText(canonizer.canonize(encodeText(url)))]);
        }
      } finally {
        await server.stop();
      }
    }
  });

  it.skipIf(!isThere)(
    'leads every URL to its canonical form with all of them in one server, in either order',
    async () => {
      const { options, urlForm, normalization } = file;
      const rules = file.rules.filter(({ rank }) => fixes.some((fix) => fix.rules.includes(rank)));
      const canonizer = createCanonizer(rules, {
        accept: 'valid',
        maxIterations: 10,
        urlForm,
        normalize: normalization,
        sitePolicy: options.site,
      });
      for (const some of [fixes, fixes.toReversed()]) {
        const server = await start(...some.flatMap(linesOf));
        try {
          for (const url of urls) {
            expect([url, (await server.end(url)).url]).toEqual([url, decodeText(canonizer.canonize(encodeText(url)))]);
          }
        } finally {
          await server.stop();
        }
      }
    },
  );
});
