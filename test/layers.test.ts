// The layers: a folder imports from itself and from lower rows only, never from its neighbours in the row. The same
// holds for the folders of kernel, of cli and of cli/run. There are no import cycles, not even of types.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROWS: readonly (readonly string[])[] = [
  ['kernel'],
  ['base'],
  ['memory-plan.ts'],
  ['url'],
  ['log'],
  ['sketch', 'rule', 'robots'],
  ['table', 'pages', 'near'],
  ['mirrors', 'canonize'],
  ['mine', 'state'],
  ['validate'],
  ['report', 'export'],
  ['cli'],
  ['library'],
  ['index.ts', 'canonizer.ts'],
];

/** The same inside of the kernel. */
const KERNEL_ROWS: readonly (readonly string[])[] = [
  ['layout', 'text'],
  ['memory'],
  ['sort', 'read', 'sweep', 'parameters'],
  ['list'],
  ['order'],
  ['instances'],
  ['walk', 'count', 'write'],
  ['index.ts', 'sweep.ts', 'exports.ts'],
];

const CLI_ROWS: readonly (readonly string[])[] = [
  ['context.ts', 'files.ts', 'version.ts'],
  ['flags'],
  ['terminal', 'help'],
  ['config', 'completion', 'run'],
  ['commands.ts'],
  ['program.ts'],
  ['main.ts', 'man-build.ts'],
];

/** Inputs and rules, the commands with a folder that others need, and the rest. */
const RUN_ROWS: readonly (readonly string[])[] = [
  ['summary.ts', 'spark'],
  ['input'],
  ['rules'],
  ['canonize', 'validate'],
  [
    'mine',
    'rehearse',
    'decide.ts',
    'dups.ts',
    'eval.ts',
    'explain.ts',
    'export.ts',
    'forget.ts',
    'formats.ts',
    'import.ts',
    'mirrors',
    'refresh.ts',
    'rules-files.ts',
    'sketch.ts',
  ],
  ['report'],
];

/** Folders that may touch the file system. */
const FILE_SYSTEM = ['base/', 'log/', 'cli/'];

/** Sub-folders, and what they do not import. */
const APART: readonly (readonly [folder: string, others: RegExp])[] = [
  ['report/page/measure/', /^report\/page\/(chart|render|script)\//],
  ['report/page/script/', /^report\/page\/(chart|measure|render)\//],
  ['report/page/chart/', /^report\/page\/(measure|script)\//],
  ['export/edits/', /^export\/(cache|edge|java|parameters|python|server)\//],
  ['export/server/', /^export\/(cache|edge|java|parameters|python)\//],
  ['export/edge/', /^export\/(cache|java|parameters|python|server)\//],
  ['export/parameters/', /^export\/(cache|edge|java|python)\//],
  ['export/cache/', /^export\/(edge|java|python)\//],
  ['export/java/', /^export\/(cache|edge|parameters|python)\//],
  ['log/warc/', /^log\/format\//],
];

const src = new URL('../src/', import.meta.url).pathname;

interface Import {
  readonly file: string;
  readonly from: string;
}

function sources(folder = src): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8');
  const matches = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return Array.from(matches, (match) => ({ file: relative(src, path), from: match[1]! }));
}

const imports = sources().flatMap(importsOf);

/** The file that an import names, relative to src; undefined for a package. */
function targetOf({ file, from }: Import): string | undefined {
  return from.startsWith('.') ? join(file, '..', from).replace(/(?:\.js)?$/, '.ts') : undefined;
}

interface House {
  /** The folder that has its rows: src, or one in it. */
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

const HOUSES: readonly House[] = [
  { name: 'src', rows: ROWS },
  { name: 'src/kernel', rows: KERNEL_ROWS },
  { name: 'src/cli', rows: CLI_ROWS },
  { name: 'src/cli/run', rows: RUN_ROWS },
];

function rowOf({ rows }: House, folder: string): number {
  return rows.findIndex((row) => row.includes(folder));
}

/** The folder, or file, of a house that a path is in, relative to src; undefined if it is outside. */
function roomOf({ name }: House, path: string): string | undefined {
  const inside = relative(name, join('src', path));
  return inside.startsWith('..') ? undefined : inside.split('/')[0];
}

test.each(HOUSES)('every folder of $name is in a row', (house) => {
  const rooms = new Set(sources().map((path) => roomOf(house, relative(src, path))));
  expect([...rooms].filter((room) => room !== undefined && rowOf(house, room) < 0)).toEqual([]);
  expect(house.rows.flat().filter((room) => !rooms.has(room))).toEqual([]);
});

test.each(HOUSES)('imports inside of $name only go down', (house) => {
  const inside = imports.flatMap((one) => {
    const path = targetOf(one);
    const [room, target] = [roomOf(house, one.file), path === undefined ? undefined : roomOf(house, path)];
    return room === undefined || target === undefined ? [] : [{ ...one, room, target }];
  });
  const wrong = inside.filter(({ room, target }) => target !== room && rowOf(house, target) >= rowOf(house, room));
  expect(wrong).toEqual([]);
  expect(inside.length).toBeGreaterThan(50);
});

test('there are no import cycles', () => {
  const known = new Set(sources().map((path) => relative(src, path)));
  const edges = new Map([...known].map((file) => [file, new Set<string>()]));
  for (const one of imports) {
    const target = targetOf(one);
    if (target !== undefined && known.has(target)) edges.get(one.file)!.add(target);
  }
  expect(circleIn(edges)).toEqual([]);
  expect([...edges.values()].reduce((sum, targets) => sum + targets.size, 0)).toBeGreaterThan(500);
  edges.get('base/error.ts')!.add('cli/program.ts');
  expect(circleIn(edges)).not.toEqual([]);
});

/** What is left after repeatedly removing files that import nothing left, or that nothing left imports. */
function circleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Set(edges.keys());
  const isAmid = (file: string) =>
    [...edges.get(file)!].some((target) => left.has(target)) && [...left].some((other) => edges.get(other)!.has(file));
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const file of left) if (!isAmid(file)) left.delete(file);
  }
  return [...left];
}

test('other folders import only the exports and the memory layouts of the kernel', () => {
  const kernel = imports.filter(({ file, from }) => !file.startsWith('kernel/') && /^(\.\.\/)+kernel\//.test(from));
  expect(kernel.filter(({ from }) => !/\/kernel\/(exports|layout\/[a-z-]+)\.js$/.test(from))).toEqual([]);
  expect(kernel.length).toBeGreaterThan(5);
});

test.each(APART)('%s does not import from its neighbours', (folder, others) => {
  const own = imports.filter(({ file, from }) => file.startsWith(folder) && from.startsWith('.'));
  expect(own.filter(({ file, from }) => others.test(relative(src, join(src, file, '..', from))))).toEqual([]);
  expect(own.length).toBeGreaterThan(2);
});

test('only base, log and cli touch the file system', () => {
  const touching = imports.filter(({ from }) => from.startsWith('node:fs'));
  expect(touching.filter(({ file }) => !FILE_SYSTEM.some((folder) => file.startsWith(folder)))).toEqual([]);
  expect(touching.length).toBeGreaterThan(2);
});

test('only validate/live opens network connections, others to what the user or they themselves started', () => {
  const others = ['cli/run/rehearse/server.ts', 'cli/run/spark/master.ts'];
  const opening = imports.filter(({ from }) => /^(node:(net|http|https|http2|tls|dgram|dns)|undici)/.test(from));
  expect(opening.filter(({ file }) => !file.startsWith('validate/live/') && !others.includes(file))).toEqual([]);
  expect(opening.length).toBeGreaterThan(2);
});

test('files are named from the root of the package, and every thread is bundled', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const relativeTo = /new URL\([^)]*import\.meta\.url/;
  const texts = sources().map((path) => ({ file: relative(src, path), text: readFileSync(path, 'utf8') }));
  expect(texts.filter(({ text }) => relativeTo.test(text)).map(({ file }) => file)).toEqual(['base/package-file.ts']);
  const threads = texts.flatMap(({ text }) =>
    Array.from(text.matchAll(/'dist\/program\/(.*)\.js'/g), ([, path]) => `src/${path}.ts`),
  );
  expect(threads.filter((path) => !scripts['program']!.includes(` ${path} `))).toEqual([]);
  expect(threads.length).toBeGreaterThan(3);
});
