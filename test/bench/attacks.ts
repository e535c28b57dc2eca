// `npm run bench:attacks`: what does the program do with hostile input, and when it is killed? Prints a table; the first
// attack that succeeds ends it with its stack.
//
//   node dist/test/bench/attacks.js [--lines N] [--files N] [--kills N] [--syscalls N] [--names N] [--trap-urls N]
//     [--robots N] [--secrets N] [--visitors N] [--seed N]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { damage, FILES } from './attacks/damage.js';
import { fuzz } from './attacks/fuzz.js';
import { killNights } from './attacks/kills.js';
import { changeNames } from './attacks/names.js';
import { attackRobots, ROBOTS_ATTACKS } from './attacks/robots.js';
import { searchSecrets } from './attacks/secrets.js';
import { askAsStranger } from './attacks/strangers.js';
import { COMMANDS, hasStrace, killInSyscalls } from './attacks/syscalls.js';
import { TRAPS } from './input/traps.js';
import { runOnce } from './measure.js';

const ROOT = new URL('../../../', import.meta.url).pathname;
const BIN = join(ROOT, 'bin/dustbuster.js');

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    files: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '1000' },
    syscalls: { type: 'string', default: '200' },
    names: { type: 'string', default: '10000' },
    'trap-urls': { type: 'string', default: '50000' },
    robots: { type: 'string', default: '1' },
    secrets: { type: 'string', default: '1000000' },
    visitors: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const [lines, files, kills, syscalls, names, trapUrls, robots, secrets, visitors, seed] = [
  values.lines,
  values.files,
  values.kills,
  values.syscalls,
  values.names,
  values['trap-urls'],
  values.robots,
  values.secrets,
  values.visitors,
  values.seed,
].map(Number) as [number, number, number, number, number, number, number, number, number, number];

const folder = mkdtempSync(join(tmpdir(), 'dustbuster-attacks-'));
try {
  if (visitors > 0) say(await askAsStranger(BIN, folder, visitors));
  if (robots > 0) for (const name of Object.keys(ROBOTS_ATTACKS)) say(attackRobots(name));
  if (trapUrls > 0) await traps();
  if (files > 0) for (const kind of Object.keys(FILES)) say(await damage(kind, files, seed));
  if (lines > 0) await fuzzAll();
  if (kills > 0) {
    const preload = new URL('./attacks/kill-at.js', import.meta.url).href;
    const log = join(ROOT, 'fixtures/access.log');
    say(await killNights({ bin: BIN, preload, log, folder: join(folder, 'kills'), kills, seed }));
  }
  if (syscalls > 0) killAll();
  if (names > 0) say(await changeNames(names, seed));
  if (secrets > 0) await plantSecrets();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Secrets of visitors in what is written of a log with so many lines. */
async function plantSecrets(): Promise<void> {
  const place = join(folder, 'secrets');
  mkdirSync(place);
  const run = async (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { maxBuffer: 1 << 28 });
    return { code: status, said: `${stdout.toString()}${stderr.toString()}` };
  };
  say(await searchSecrets({ folder: place, lines: secrets, seed, run }));
}

/** What mining each kind of crawler trap takes. */
async function traps(): Promise<void> {
  for (const { name, urls } of TRAPS) {
    const [log, rules] = [join(folder, 'trap.txt'), join(folder, 'rules.json')];
    writeFileSync(log, `${Array.from(urls(trapUrls)).join('\n')}\n`);
    const command = [process.execPath, BIN, 'mine', log, '-q', '--memory', '256m', '--threads', '1', '-o', rules];
    const { seconds, cpuSeconds, mebibytes } = await runOnce(command, join(folder, 'output'));
    say({ trap: name, bytes: statSync(log).size, seconds, cpuSeconds, mebibytes });
  }
}

async function fuzzAll(): Promise<void> {
  for (const name of readdirSync(join(ROOT, 'fixtures/small')).filter((file) => file !== 'README.md')) {
    const text = readFileSync(join(ROOT, 'fixtures/small', name));
    say({ name, ...(await fuzz(text, lines, seed)) });
  }
}

/** Commands that are killed in system calls. */
function killAll(): void {
  if (!hasStrace()) return console.log('system calls: left out, as there is no strace that may trace');
  const log = join(ROOT, 'fixtures/access.log');
  for (const [at, name] of Object.keys(COMMANDS).entries()) {
    say(killInSyscalls(name, { bin: BIN, log, folder: join(folder, `syscalls-${at}`), kills: syscalls, seed }));
  }
}

function say(row: object): void {
  const cells = Object.entries(row).map(([name, value]) => {
    const isFraction = typeof value === 'number' && !Number.isInteger(value);
    return `${name} ${isFraction ? value.toFixed(2) : String(value)}`;
  });
  console.log(cells.join(', '));
}
