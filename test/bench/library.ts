// What does a URL cost a program that has it as a string? The bundle for browsers and the package beside the canonizer
// of bytes that they stand on, over the URLs and the 50 rules of the case `canonize`; the answers are compared first.
//
//     node dist/test/bench/library.js [URLS]
//
// CPU time of this process, in turns, so that a machine with other work to do is no matter; the median of ten.
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { encodeText } from '../../src/base/bytes.js';
import { createCanonizer as createByteCanonizer } from '../../src/canonize/canonizer.js';
import { createCanonizer, mine, readRules, writeRules } from '../../src/index.js';
import { rulesFile, rulesOf } from './input/rules.js';
import { siteUrls } from './input/site.js';

const TURNS = 12;
const WARM_UP = 2;

const count = Number(process.argv[2] ?? 100_000);
const { file: head } = await mine({ urls: ['http://example.com/'] });
const file = readRules(rulesFile(writeRules(head), new Map([['example.com', rulesOf('example.com', 50)]])));
const urls = Array.from(siteUrls(count), ({ host, path }) => `http://${host}${path}`);
const lines = encodeText(urls.map((url) => `${url}\n`).join(''));

const bundlePath = new URL('../../bundle/canonizer.js', import.meta.url);
const bundle = (await import(bundlePath.href)) as typeof import('../../src/canonizer.js');
const { normalization: normalize, urlForm, options } = file;
const how = { normalize, urlForm, sitePolicy: options.site, accept: 'valid', maxIterations: 10 } as const;
const bytes = createByteCanonizer(file.rules, how);
const [ours, theirs] = [createCanonizer(file), bundle.createCanonizer(file)];

let changed = 0;
for (const url of urls) {
  const form = ours.canonize(url);
  if (form !== theirs.canonize(url)) throw new Error(`${url}: the bundle gives another form than the package`);
  if (form !== url) changed++;
}

const ways: Readonly<Record<string, () => void>> = {
  'bytes, line by line': () => {
    for (let at = 0; at < lines.length;) at = bytes.canonizeLine(lines, at, lines.length) + 1;
  },
  'strings, package': () => {
    for (const url of urls) ours.canonize(url);
  },
  'strings, bundle': () => {
    for (const url of urls) theirs.canonize(url);
  },
};

const taken = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
for (let turn = 0; turn < TURNS; turn++) {
  for (const [name, work] of Object.entries(ways)) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    if (turn >= WARM_UP) taken.get(name)!.push(((user + system) * 1000) / count);
  }
}

console.log(`${count} URLs, ${changed} changed by ${ours.rules} rules`);
for (const [name, times] of taken) {
  const median = times.sort((a, b) => a - b)[times.length >> 1]!;
  console.log(
    `${name.padEnd(20)} ${median.toFixed(0).padStart(5)} ns a URL  ${(1e3 / median).toFixed(2)} million a second`,
  );
}
console.log(`bundle: ${gzipSync(readFileSync(bundlePath), { level: 9 }).length} bytes by gzip -9`);
