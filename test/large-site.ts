// A large site for tests of threads: planted dust, sizes, numbered series as noise.
import { seeded } from './bench/input/random.js';

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
