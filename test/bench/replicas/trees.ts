// Which copies does the crawl have? Chooses the documentation trees, and lays out hosts: `www/HOST/PATH/…`, nginx.conf,
// apache.conf, hosts.txt, and the truth, `copies.json`.
//
//   node trees.js HOME TARGETS
//
// Pages and old versions are Debian's. What is made of them here: a tenth of the pages missing (`partial`). What servers
// make: a line below or above each page. What wget makes: links rewritten (`up.sh`).
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { seeded } from '../input/random.js';
import type { PlantedCopy } from './planted.js';
import { NGINX_PORT, writeServers, type Host } from './servers.js';

const RELEASES = ['bookworm', 'bullseye', 'trixie'] as const;
const [FEWEST, MOST] = [50, 1000];
const UNRELATED = 15_000;

interface Tree {
  readonly folder: string;
  readonly pages: number;
}

const [, , home = '', wanted = '25'] = process.argv;
const releases = join(home, 'releases');

/** The folder of a package with most of its pages: as deep as nine in ten of them allow. */
function treeOf(folder: string): Tree | undefined {
  const pages = pagesIn(folder);
  if (pages.length === 0) return undefined;
  let top = folder;
  for (;;) {
    const counts = new Map<string, number>();
    for (const page of pages) {
      const [first, rest] = splitOnce(relative(top, page));
      if (rest !== '') counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    const [deepest] = [...counts].sort((a, b) => b[1] - a[1]);
    if (deepest === undefined || deepest[1] < 0.9 * pages.length) break;
    top = join(top, deepest[0]);
  }
  return { folder: top, pages: pages.filter((page) => page.startsWith(top + sep)).length };
}

function splitOnce(path: string): [string, string] {
  const slash = path.indexOf(sep);
  return slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
}

/** Files, not links to them: what a package has under two names is crawled by the links. */
function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** By name without its version: the tree of each release. */
function findTargets(most = MOST): Map<string, Map<string, Tree>> {
  const targets = new Map<string, Map<string, Tree>>();
  for (const release of RELEASES) {
    for (const name of readdirSync(join(releases, release)).filter((one) => one !== 'done')) {
      if (manuals.has(name)) continue;
      const tree = treeOf(join(releases, release, name));
      // A release may have its pages cut into many more.
      if (tree === undefined || tree.pages > most) continue;
      const target = name.replace(/[0-9]+\.[0-9.]+|-[0-9]+$/, '');
      if (!targets.has(target)) targets.set(target, new Map());
      targets.get(target)!.set(release, tree);
    }
  }
  return targets;
}

const manuals = new Set(readFileSync(join(home, 'manuals.txt'), 'utf8').split('\n'));
const random = seeded(18);
rmSync(join(home, 'www'), { recursive: true, force: true });

const hosts = new Map<string, Host>();
const copies: PlantedCopy[] = [];

function host(name: string, server: Host['server'], filter?: Host['filter'], names: readonly string[] = []): Host {
  const known = hosts.get(name);
  if (known !== undefined) return known;
  const made: Host = { name, server, filter, names, root: join(home, 'www', name) };
  mkdirSync(made.root, { recursive: true });
  hosts.set(name, made);
  return made;
}

function urlOf({ name, server }: Pick<Host, 'name' | 'server'>, path: string): string {
  return `http://${name}.mirrors.test:${server === 'nginx' ? NGINX_PORT : NGINX_PORT + 1}/${path}/`;
}

function put(on: Host, path: string, folder: string, target: string, kind: string): void {
  const place = join(on.root, path);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(folder, place);
  copies.push({ target, kind, prefix: urlOf(on, path) });
  for (const name of on.names) copies.push({ target, kind: 'alias', prefix: urlOf({ ...on, name }, path) });
}

/** A copy without each tenth page, but for the index; links to the missing ones lead to `origin`. */
function partial(folder: string, into: string, origin: string): void {
  cpSync(folder, into, { recursive: true, verbatimSymlinks: true });
  const missing = new Set<string>();
  for (const page of pagesIn(into)) {
    if (/index\.html?$/.test(page) || random() >= 0.1) continue;
    missing.add(page);
    unlinkSync(page);
  }
  for (const page of pagesIn(into)) {
    const text = readFileSync(page, 'latin1');
    const edited = text.replace(/(href=["'])([^"'#?:]+)/gi, (all, before: string, link: string) => {
      const target = resolve(dirname(page), decodeURI(link));
      return missing.has(target) ? before + origin + relative(into, target).split(sep).join('/') : all;
    });
    if (edited !== text) writeFileSync(page, edited, 'latin1');
  }
}

function decodeURI(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

const all = [...findTargets()].filter(([, trees]) => {
  return (trees.get('bookworm')?.pages ?? 0) >= FEWEST;
});
const chosen = all.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, Number(wanted));
for (const [k, [target, trees]] of chosen.entries()) {
  const group = k % 5;
  const own = realpathSync(trees.get('bookworm')!.folder);
  const path = `doc/${target}`;
  const first = host(`n${group}`, 'nginx', undefined, group < 2 ? [`x${group}`] : []);
  put(first, path, own, target, 'original');
  put(host(`a${group}`, 'apache'), path, own, target, 'same');
  put(host(`f${group}`, 'nginx', 'below'), path, own, target, 'footer');
  const less = join(home, 'made', 'partial', target);
  rmSync(less, { recursive: true, force: true });
  partial(own, less, urlOf(first, path));
  put(host(`p${group}`, 'nginx'), `pub/debian/${target}/html`, less, target, 'partial');
  put(host(`c${group}`, 'apache'), `mirror/${target}`, join(home, 'made', 'converted', target), target, 'converted');
  const older = trees.get('bullseye');
  if (older) put(host(`o${k % 3}`, 'apache'), `manuals/${target}-old`, realpathSync(older.folder), target, 'older');
  const newer = trees.get('trixie');
  if (newer) put(host(`w${k % 3}`, 'nginx'), `manuals/${target}`, realpathSync(newer.folder), target, 'newer');
  if (k % 4 === 0) put(host(`h${k % 8}`, 'apache', 'above'), path, own, target, 'header');
}
const pages = chosen.map(([target, trees]) => [target, ...RELEASES.map((release) => trees.get(release)?.pages ?? 0)]);
console.table(pages);

// The unrelated pages: manual pages on hosts of their own, and what is there once of other packages.
const rendered = join(home, 'made', 'man');
const hostsOfPages = readdirSync(rendered).filter((one) => statSync(join(rendered, one)).isDirectory());
for (const name of hostsOfPages) symlinkSync(join(rendered, name), join(host(name, 'nginx').root, 'man'));
let unrelated = pagesIn(rendered).length;
const single = [...findTargets(Infinity)].filter(([target]) => !chosen.some(([one]) => one === target));
for (const [k, [target, trees]] of single.entries()) {
  const tree = trees.get('bookworm');
  if (tree === undefined || unrelated + tree.pages > UNRELATED + 500) continue;
  unrelated += tree.pages;
  put(host(`d${k % 5}`, 'nginx'), `doc/${target}`, realpathSync(tree.folder), target, 'alone');
}
console.log(`${unrelated} unrelated pages`);
const links = host('links', 'nginx');
const originals = copies.filter(({ kind }) => kind === 'original');
const list = originals.map(({ target, prefix }) => `<li><a href="${prefix}">${target}</a>`);
writeFileSync(
  join(links.root, 'index.html'),
  `<title>Links</title><p>Documentation worth reading.<ul>${list.join('\n')}</ul>`,
);
writeFileSync(join(home, 'copies.json'), JSON.stringify(copies, null, 1));
writeServers(home, [...hosts.values()]);
