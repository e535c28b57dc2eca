// Do real programs redirect URLs to where `canonize` leads them? The large run, over given rules files and URL lists:
//
//   node dist/test/bench/exports.js [--to nginx,apache,varnish,scrapy,esm] [--urls 10000] RULES LIST [RULES LIST …]
//
// A list has one URL per line; if it has too few, more are generated from them (export-urls). It prints a table:
// target, rules file, rules exported of all, URLs that agree of all; then up to ten differences. Exit code 1 if there
// are any.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { loadTarget } from '../../src/export/targets.js';
import type { Exported, ExportRequest } from '../../src/export/target.js';
import { readRules } from '../../src/rule/file.js';
import { compare, requestable, type Difference } from '../e2e/export-agreement.js';
import { formsBy } from '../e2e/export-lists.js';
import { servers } from '../e2e/export-servers.js';
import { manyUrls } from '../e2e/export-urls.js';
import { accepts } from '../../src/rule/standing.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string', default: [...servers.keys(), ...formsBy.keys()].join(',') },
    urls: { type: 'string', default: '10000' },
  },
});

const rows: string[][] = [
  ['target', 'rules', 'carried', 'of', 'URLs agreed', 'of', 'refused', 'moved', 'redirects at most'],
];
const differences: Difference[] = [];
for (let at = 0; at + 1 < positionals.length; at += 2) {
  const request = readRequest(positionals[at]!);
  const list = requestable(decodeText(readFileSync(positionals[at + 1]!)).split('\n'), request);
  const urls = requestable(manyUrls(list, request.rules, Number(values.urls)), request);
  for (const name of values.to.split(',')) {
    const target = await loadTarget(name);
    const makeForms = formsBy.get(name);
    if (target !== undefined && makeForms !== undefined) {
      rows.push(besideList(name, target.write(request), request, makeForms, list));
      continue;
    }
    const start = servers.get(name);
    if (target === undefined || start === undefined) throw new Error(`no such server: ${name}`);
    const exported = target.write(request);
    const server = await start(exported.text);
    const result = await compare(server, request, urls).finally(() => server.stop());
    differences.push(...result.differences);
    const agreed = result.asked - result.differences.length;
    const counts = [exported.carried.length, request.rules.length, agreed, result.asked, result.refused, result.moved];
    rows.push([name, request.source, ...counts.map(String), String(result.mostRedirects)]);
  }
}
process.stdout.write(rows.map((row) => `${row.join('\t')}\n`).join(''));
for (const { url, expected, got } of differences.slice(0, 10)) {
  process.stdout.write(
    `\n${JSON.stringify(url)}\n  expected ${JSON.stringify(expected)}\n  got      ${JSON.stringify(got)}\n`,
  );
}
process.exitCode = differences.length === 0 ? 0 : 1;

/** Lines as they are, normal or not; without bytes that are not UTF-8, which not every program can be given. */
function besideList(
  name: string,
  { text, carried }: Exported,
  { rules, source, normalization: normalize, urlForm, sitePolicy, maxIterations }: ExportRequest,
  makeForms: (text: string, list: Uint8Array, folder: string) => Uint8Array,
  list: readonly string[],
): string[] {
  const urls = manyUrls(list, rules, Number(values.urls)).filter((url) => !/[\p{Cs}\n]/u.test(url));
  const canonizer = createCanonizer(carried, { normalize, accept: 'likely', maxIterations, urlForm, sitePolicy });
  const expected = urls.map((url) => decodeText(canonizer.canonize(encodeText(url))));
  const folder = mkdtempSync(join(tmpdir(), 'dustbuster-exports-'));
  const got = decodeText(makeForms(text, encodeText(urls.join('\n')), folder)).split('\n');
  rmSync(folder, { recursive: true });
  urls.forEach((url, k) => {
    if (got[k] !== expected[k]) differences.push({ url, expected: expected[k]!, got: got[k] ?? '' });
  });
  const agreed = urls.filter((_, k) => got[k] === expected[k]).length;
  const moved = urls.filter((url, k) => url !== expected[k]).length;
  return [name, source, ...[carried.length, rules.length, agreed, urls.length, 0, moved].map(String), '-'];
}

function readRequest(path: string): ExportRequest {
  const file = readRules(readFileSync(path), path);
  return {
    rules: file.rules.filter((rule) => accepts(rule, 'likely')).sort((a, b) => a.rank - b.rank),
    normalization: file.normalization,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
    maxIterations: 10,
    source: basename(path),
    generator: file.generator,
  };
}
