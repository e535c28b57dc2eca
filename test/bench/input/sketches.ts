// Page records with sketches, as `sketch` writes them, of which three in ten are near duplicates.
import { mix, seeded } from './random.js';

const PAGES_OF_SITE = 1000;
const MINIMA = 128;
/** Of a sketch, by the template of its site, at most. */
const MOST_OF_TEMPLATE = 40;
const IN_CLUSTERS = 0.3;
const MOST_COPIES = 10;
/** Fingerprints that a near duplicate has instead of others: a page that it resembles by 0.9 has at most six. */
const MOST_CHANGES = 9;
/** The 128 smallest of 640 shingles or so are below this. */
const LIMIT = 2 ** 40 / 5;

/**
 * `count` records of sites of 1,000 pages with a template each. Clusters have two to ten pages of any sites, each with
 * up to nine other fingerprints than the first: some do not resemble it enough.
 */
export function* pagesWithSketches(count: number): Generator<string> {
  const random = seeded(17);
  const sketch = new Float64Array(MINIMA);
  const own = new Float64Array(MINIMA);
  const fresh = () => Math.floor(random() * 2 ** 20) * 2 ** 20 + Math.floor(random() * 2 ** 20);
  const draw = () => Math.floor((fresh() * LIMIT) / 2 ** 40);
  for (let [made, copies] = [0, 0]; made < count; made++) {
    const site = Math.floor(made / PAGES_OF_SITE);
    if (copies > 0) {
      copies--;
      own.set(sketch);
      for (let changes = Math.floor(random() * (MOST_CHANGES + 1)); changes > 0; changes--) {
        own[Math.floor(random() * MINIMA)] = draw();
      }
    } else {
      const template = mix(site) % MOST_OF_TEMPLATE;
      for (let k = 0; k < MINIMA; k++) {
        sketch[k] = k < template ? Math.floor((mix(k, site) / 2 ** 32) * LIMIT) : draw();
      }
      own.set(sketch);
      // One in 17 pages or so has copies: five, on average.
      if (random() < IN_CLUSTERS / (1 + (1 - IN_CLUSTERS) * MOST_COPIES * 0.5)) copies = 1 + Math.floor(random() * 9);
    }
    yield line(made, site, own);
  }
}

const bytes = Buffer.alloc(5 * MINIMA);

function line(page: number, site: number, minima: Float64Array): string {
  const sorted = minima.slice().sort();
  for (let k = 0; k < MINIMA; k++) {
    // Equal ones are rare; then the text is no sketch, and a digest.
    const high = Math.floor(sorted[k]! / 2 ** 32);
    bytes[5 * k] = high;
    bytes.writeUInt32BE(sorted[k]! - high * 2 ** 32, 5 * k + 1);
  }
  const digest = Array.from({ length: 8 }, (_, k) => mix(page, k).toString(16).padStart(8, '0')).join('');
  return (
    `{"url":"http://www.site${site}.example/pages/${page}.html","time":"2026-01-02T03:04:05Z","status":200,` +
    `"type":"text/html","size":${5000 + (page % 9973)},"digest":"sha256:${digest}",` +
    `"sketch":"db1-4-128-${MINIMA}-${bytes.toString('base64url')}"}\n`
  );
}
