// Which URLs of a log show the same page? Asks a running site for each URL that its log has with 200, and writes
//
//   URL <tab> SHA-1 of the visible text <tab> number of its cluster        or - and - where it does not answer 200 any more
//
//   node dist/test/bench/sites/truth.js SITE     reads logs/SITE.log.gz, writes truth/SITE.tsv.gz
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { closeAll, landingOf } from './ask.js';
import { clustersOf } from './clusters.js';
import { eachAtOnce } from './each-at-once.js';
import { shownIn } from './logged.js';
import { homeOfSites, ownSite } from './own-site.js';
import { textOf } from './page-text.js';

const site = ownSite(process.argv[2] ?? '');
const urls = await shownIn(join(homeOfSites(), 'logs', `${site.name}.log.gz`), site.base);
const texts = new Map<string, string | null>();
const digests = new Map<string, string>();
await eachAtOnce(4, urls, async (url) => {
  const page = await landingOf(url);
  if (page === null || page.status !== 200) return;
  const text = textOf(page.type, page.body);
  const digest = createHash('sha1')
    .update(text ?? page.body)
    .digest('hex');
  texts.set(digest, text);
  digests.set(url, digest);
});
await closeAll();

const contents = [...texts.keys()].sort();
const clusters = clustersOf(contents.map((digest) => texts.get(digest)!));
const numbers = new Map(contents.map((digest, k) => [digest, clusters[k]!]));
const lines = urls.map((url) => {
  const digest = digests.get(url);
  return digest === undefined ? `${url}\t-\t-\n` : `${url}\t${digest}\t${numbers.get(digest)!}\n`;
});
writeFileSync(join(homeOfSites(), 'truth', `${site.name}.tsv.gz`), gzipSync(lines.join(''), { level: 9 }));
console.log(
  `${site.name}: ${urls.length} URLs, ${urls.length - digests.size} of them gone, ${contents.length} contents, ${new Set(clusters).size} clusters`,
);
