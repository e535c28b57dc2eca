// Seeded inputs for benchmarks, as files: a site with planted dust, sizes, and numbered series as noise.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SECTIONS = ['news', 'blog', 'shop', 'forum', 'docs'];

/** A URL path of about 20 tokens with the host, its document's size, and now and then another name of the document. */
export function* urlsOf(count: number, seed = 1): Generator<{ readonly path: string; readonly size: number }> {
  const random = seeded(seed);
  const pick = (n: number) => Math.floor(random() * n);
  for (let made = 0; made < count;) {
    const id = pick(count * 2);
    const section = SECTIONS[id % 5]!;
    const size = 500 + ((id * 7919) % 90_000);
    const kind = random();
    const twin = random() < 0.3;
    const names: string[] = [];
    if (kind < 0.3) {
      const head = `/${section}/${2000 + (id % 20)}/${1 + (id % 12)}/story`;
      names.push(`${head}?id=${id}&lang=en`, `${head}_${id}&lang=en`);
    } else if (kind < 0.5) {
      const head = `/cat-${id % 200}/${section}/sub.${id % 7}/p${id}/`;
      names.push(`${head}index.html`, head);
    } else if (kind < 0.7) names.push(`/gallery/${section}/set-${id % 5000}/large/pic-${id % 100}.jpg`);
    else if (kind < 0.9) names.push(`/archive/${1990 + (id % 30)}/${1 + (id % 12)}/item/${id}/view.php?page=${id % 9}`);
    else names.push(`/s/${id.toString(36)}?utm_source=cat-${id % 200}&ref=${id % 7}`);
    for (const path of twin ? names : names.slice(0, 1)) {
      yield { path, size };
      made++;
    }
  }
}

/** One absolute URL a line. */
export async function writeUrlList(path: string, count: number): Promise<void> {
  await writeLines(path, function* () {
    for (const url of urlsOf(count)) yield `http://www.example.com${url.path}\n`;
  });
}

/** `url,size` with a header: what a size test needs and no more. */
export async function writeTable(path: string, count: number): Promise<void> {
  await writeLines(path, function* () {
    yield 'url\tsize\n';
    for (const { path: url, size } of urlsOf(count)) yield `http://www.example.com${url}\t${size}\n`;
  });
}

/** A combined log of `lines` lines, about 240 bytes each. */
export async function writeLog(path: string, lines: number): Promise<void> {
  const random = seeded(2);
  await writeLines(path, function* () {
    let line = 0;
    for (const { path: url, size } of urlsOf(lines, 3)) {
      const status = random() < 0.03 ? 404 : random() < 0.05 ? 304 : 200;
      const time = `12/May/2024:10:${String(line % 60).padStart(2, '0')}:00 +0000`;
      yield (
        `10.0.${line % 256}.${size % 256} - - [${time}] "GET ${url} HTTP/1.1" ${status} ` +
        `${status === 200 ? size : '-'} "http://www.example.com/some/referrer/page.html" ` +
        '"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36"\n'
      );
      if (++line === lines) return;
    }
  });
}

async function writeLines(path: string, lines: () => Iterable<string>): Promise<void> {
  const file = createWriteStream(path);
  let block = '';
  for (const line of lines()) {
    block += line;
    if (block.length < 1 << 20) continue;
    if (!file.write(block)) await once(file, 'drain');
    block = '';
  }
  file.end(block);
  await once(file, 'close');
}
