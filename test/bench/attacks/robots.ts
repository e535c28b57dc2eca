// What does a robots.txt take that was made to waste time or memory? Files of up to 500 KiB, judged for URLs of 2 KiB.
import { performance } from 'node:perf_hooks';
import { MAX_ROBOTS_BYTES, parseRobots, robotNames } from '../../../src/robots/file.js';
import { seeded } from '../input/random.js';

export interface RobotsAttack {
  readonly robots: string;
  readonly bytes: number;
  readonly rules: number;
  readonly parseMs: number;
  /** Of the slowest of the URLs, on average. */
  readonly urlMs: number;
}

const random = seeded(38);
const letters = (count: number, of: string) =>
  Array.from({ length: count }, () => of[Math.floor(random() * of.length)]).join('');

/** Lines for all robots, up to the most bytes that are read. */
function filled(lineOf: (k: number) => string): string {
  const lines = ['User-agent: *'];
  for (let k = 0, bytes = 14; ; k++) {
    const line = `Disallow:${lineOf(k)}`;
    bytes += line.length + 1;
    if (bytes >= MAX_ROBOTS_BYTES) return lines.join('\n');
    lines.push(line);
  }
}

/** Many lines of many agents cost a parser their product, if it gives each agent its lines. */
function product(count: number): string {
  const numbers = Array.from({ length: count }, (_, k) => k);
  return [...numbers.map((k) => `User-agent: bot${k}`), ...numbers.map((k) => `Disallow: /x${k}`)].join('\n');
}

export const ROBOTS_ATTACKS: Readonly<Record<string, () => string>> = {
  '4,000 agents x 4,000 rules': () => product(4000),
  'the same with us': () => `User-agent: dustbuster\nUser-agent: *\n${product(4000)}`,
  '30,000 paths': () => filled((k) => ` /${k}`),
  'paths that begin one another': () => filled((k) => `/${'a'.repeat(k)}`),
  'stars with one beginning': () => filled((k) => `/*?id=${k}`),
  'stars before three letters': () => filled(() => `/*${letters(3, 'abcdefghijklmnopqrstuvwxyz')}`),
  'stars before what nearly is there': () => filled(() => `/*${letters(20, 'ab')}`),
  'thousands of stars a line': () => filled((k) => `/${'*a'.repeat(8000)}b${k}`),
  'nothing but stars': () => filled((k) => `/${'*'.repeat(16_000)}${k}`),
  'parts as long as the URL': () => filled((k) => `/*b${'a'.repeat(1000 + k)}`),
  'nothing but line ends': () => '\r'.repeat(MAX_ROBOTS_BYTES),
  'nothing but blanks': () => `${' '.repeat(16_000)}x\n`.repeat(31),
};

const URLS = ['/page?x=1', `/a?${'id=1&'.repeat(400)}`, `/${'a'.repeat(2048)}`, `/${letters(2048, 'ab')}`];
const TIMES = 10;

/** Parses the file of that name, and judges URLs by it. */
export function attackRobots(name: string): RobotsAttack {
  const body = Buffer.from(ROBOTS_ATTACKS[name]!());
  const begin = performance.now();
  const { judge } = parseRobots(body, robotNames('dustbuster/1.0'));
  const parseMs = performance.now() - begin;
  const urlMs = Math.max(...URLS.map((url) => judgeMs(judge, url)));
  return { robots: name, bytes: body.length, rules: body.toString().split('Disallow').length - 1, parseMs, urlMs };
}

function judgeMs(judge: (path: string) => unknown, url: string): number {
  const begin = performance.now();
  for (let k = 0; k < TIMES; k++) judge(url + k);
  return (performance.now() - begin) / TIMES;
}
