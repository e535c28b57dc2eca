// Do the real servers lead URLs where `canonize` leads them? The large run, over rules files and URL lists as they are given:
//
//     node dist/test/bench/exports.js [--to nginx,apache,varnish] [--urls 10000] RULES LIST [RULES LIST …]
//
// A list has a URL a line; where it has fewer than wanted, more are made of them (export-urls). It prints a table: target,
// rules file, rules carried of all, URLs agreed of all; then up to ten differences. Exit code 1 if there are any.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeText } from '../../src/base/bytes.js';
import { isAccepted } from '../../src/canonize/canonizer.js';
import { loadTarget } from '../../src/export/targets.js';
import type { ExportRequest } from '../../src/export/target.js';
import { readRules } from '../../src/rule/file.js';
import { compare, requestable, type Difference } from '../e2e/export-agreement.js';
import { servers } from '../e2e/export-servers.js';
import { manyUrls } from '../e2e/export-urls.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string', default: [...servers.keys()].join(',') },
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
    const start = servers.get(name);
    if (target === undefined || start === undefined) throw new Error(`no such server: ${name}`);
    const exported = target.write(request);
    const server = await start(exported.text);
    const result = await compare(server, exported, request, urls).finally(() => server.stop());
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

function readRequest(path: string): ExportRequest {
  const file = readRules(readFileSync(path), path);
  return {
    rules: file.rules.filter((rule) => isAccepted(rule, 'likely')).sort((a, b) => a.rank - b.rank),
    normalization: file.normalization,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
    maxIterations: 10,
    source: basename(path),
    generator: file.generator,
  };
}
