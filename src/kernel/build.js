// Compiles the kernel (AssemblyScript) to WebAssembly.
//
//   node src/kernel/build.js           makes dist/kernel.wasm and dist/sweep.wasm, unless they are up to date
//   node src/kernel/build.js --pin     also makes the committed files, exports.ts and wasm.sha256
//   node src/kernel/build.js --debug   makes dist/kernel.debug.wasm, with assertions, whose traps name their function
//   node src/kernel/build.js --check   writes nothing: fails if the kernel does not compile or exports.ts is outdated
//   node src/kernel/build.js --fresh   fails if dist was built from other sources
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = 'src/kernel/';
const EXPORTS = `${FOLDER}exports.ts`;
const HASHES = `${FOLDER}wasm.sha256`;
/** The sources that dist was built from. */
const SOURCES = 'dist/kernel.sources';

/** Names of functions, for the stack of a trap: 12.7 kB of custom section after the same code. */
const RELEASE = ['--optimizeLevel', '3', '--converge', '--debug'];
const COMMON = ['--runtime', 'stub', '--use', 'abort=', '--importMemory', '--enable', 'simd'];
const SHARED = ['--initialMemory', '16', '--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'];

/** Memory below the base has a fixed layout (heap.ts, sweep.ts). */
const MODULES = [
  { name: 'kernel', type: 'KernelExports', entry: `${FOLDER}index.ts`, flags: [...SHARED, '--memoryBase', '8192'] },
  { name: 'sweep', type: 'SweepExports', entry: `${FOLDER}sweep.ts`, flags: ['--memoryBase', '2048'] },
];

/** Fails with a message instead of a stack. */
function fail(message) {
  console.error(message);
  process.exit(1);
}

function sourcesDigest() {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(ts|js)$/.test(path) && path !== 'exports.ts',
  );
  const hash = createHash('sha256').update(readFileSync('node_modules/assemblyscript/package.json'));
  for (const path of paths.toSorted()) hash.update(`${path}\n`).update(readFileSync(FOLDER + path));
  return `${hash.digest('hex')}\n`;
}

/** The bytes of a module, and the TypeScript bindings of its exports. */
async function compile({ name, entry, flags }, more) {
  const { default: asc } = await import('assemblyscript/asc');
  const files = new Map();
  const { error } = await asc.main(
    [entry, '--outFile', `${name}.wasm`, '--bindings', 'raw', ...COMMON, ...flags, ...more],
    { stdout: process.stdout, stderr: process.stderr, writeFile: (path, contents) => files.set(path, contents) },
  );
  if (error) fail(`${entry} does not compile`);
  return { bytes: files.get(`${name}.wasm`), bindings: files.get(`${name}.d.ts`) };
}

/**
 * An interface of the exported functions, with the comments of the kernel. Node calls them without AssemblyScript's
 * bindings, so a bool is a number, and an address from 2 GiB on is negative. The comments have the kernel's types.
 */
function interfaceOf(type, bindings) {
  const functions = bindings.matchAll(/\/\*\*\n((?: +\* .*\n)*) +\*\/\n +export function (\w+)\((.*)\): (\w+);/g);
  const members = Array.from(functions, ([, comment, name, parameters, result]) => {
    const [, file] = /src\/kernel\/(.*)\/\w+/.exec(comment);
    const types = Array.from(comment.matchAll(/@param \w+ `(\w+)`/g), (match) => match[1]).join(', ');
    const [, returned = 'void'] = /@returns `(\w+)`/.exec(comment) ?? [];
    const said = commentOf(file, name).map((line) => ` * ${line}\n`);
    return `/**\n * ${file}: (${types}) => ${returned}\n${said.join('')} */
      readonly ${name}: (${parameters}) => ${result === 'boolean' ? 'number' : result};`;
  });
  return `export interface ${type} {\n${members.join('\n')}\n}\n`;
}

/** The lines of the comment before a function. */
function commentOf(file, name) {
  const lines = readFileSync(`${FOLDER}${file}.ts`, 'utf8').split('\n');
  const end = lines.findIndex((line) => line.startsWith(`export function ${name}(`));
  const start = lines.lastIndexOf('', end);
  const comment = lines
    .slice(start + 1, end)
    .map((line) => line.replace(/^(\/\*\*| \*\/?) ?/, '').replace(/ ?\*\/$/, ''));
  return comment.filter((line) => line !== '' && !line.startsWith('//'));
}

async function exportsText(compiled) {
  const { format, resolveConfig } = await import('prettier');
  const interfaces = MODULES.map(({ type }, k) => interfaceOf(type, compiled[k].bindings));
  const head = `// The functions that JavaScript can call. \`npm run kernel -- --pin\` writes this; comments have the kernel's types.\n`;
  return format(`${head}\n${interfaces.join('\n')}`, { ...(await resolveConfig(EXPORTS)), parser: 'typescript' });
}

function hashesText(compiled) {
  const lines = MODULES.map(({ name }, k) => {
    return `${createHash('sha256').update(compiled[k].bytes).digest('hex')}  dist/${name}.wasm\n`;
  });
  return lines.join('');
}

const isSame = (path, text) => readFileSync(path, 'utf8') === text;

async function build(isPinned) {
  const compiled = [];
  for (const module of MODULES) compiled.push(await compile(module, RELEASE));
  mkdirSync('dist', { recursive: true });
  for (const [k, { name }] of MODULES.entries()) writeFileSync(`dist/${name}.wasm`, compiled[k].bytes);
  writeFileSync(SOURCES, sourcesDigest());
  const committed = [
    [EXPORTS, await exportsText(compiled)],
    [HASHES, hashesText(compiled)],
  ];
  for (const [path, text] of committed) {
    if (isPinned) writeFileSync(path, text);
    else if (!isSame(path, text)) console.error(`${path} is of another kernel: to renew it, npm run kernel -- --pin`);
  }
}

async function check() {
  const compiled = [];
  for (const module of MODULES) compiled.push(await compile(module, []));
  if (!isSame(EXPORTS, await exportsText(compiled))) {
    fail(`${EXPORTS} is not what the kernel exports: npm run kernel -- --pin writes it anew`);
  }
}

async function buildDebug() {
  mkdirSync('dist', { recursive: true });
  const { bytes } = await compile(MODULES[0], ['--debug']);
  writeFileSync('dist/kernel.debug.wasm', bytes);
}

/** True if dist was built from these sources. */
function isFresh() {
  const paths = [SOURCES, ...MODULES.map(({ name }) => `dist/${name}.wasm`)];
  return paths.every((path) => existsSync(path)) && readFileSync(SOURCES, 'utf8') === sourcesDigest();
}

const [mode] = process.argv.slice(2);
if (mode === '--check') await check();
else if (mode === '--debug') await buildDebug();
else if (mode === '--pin') await build(true);
else if (mode === '--fresh') {
  if (!isFresh()) fail('dist was built of another src/kernel: npm run build');
} else if (mode === undefined) {
  if (!isFresh()) await build(false);
} else fail(`expected --pin, --debug, --check or --fresh, got ${mode}`);
