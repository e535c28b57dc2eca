// Known answers for signatures (fixtures/signatures), by the program and by a twin written from `help sketch` alone.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createContentMaker, type SketchSizes } from '../../src/pages/sketching.js';
import { parseSketch } from '../../src/sketch/sketch.js';
import { parseSpots, type SpotOptions } from '../../src/sketch/spots.js';
import { FIXTURES } from '../cli/process.js';

interface Answer {
  readonly about: string;
  readonly type: string;
  readonly page: string;
  readonly words: number;
  readonly minima: number;
  /** Missing for sketches. */
  readonly spots?: {
    readonly kind: SpotOptions['kind'];
    readonly chain: number;
    readonly long: number;
    readonly antecedents?: Readonly<Record<string, number>>;
    readonly stopWords?: readonly string[];
  };
  readonly signature: string | null;
}

const { format, answers } = JSON.parse(readFileSync(join(FIXTURES, 'signatures', 'signatures.json'), 'utf8')) as {
  readonly format: string;
  readonly answers: readonly Answer[];
};

test('there are answers of each kind', () => {
  expect(format).toBe('dustbuster-signatures');
  expect(new Set(answers.map(({ spots }) => spots?.kind))).toEqual(new Set([undefined, 'spotsigs', 'sizespotsigs']));
  expect(answers.filter(({ signature }) => signature === null).length).toBeGreaterThan(0);
  expect(answers.length).toBeGreaterThan(15);
});

test.each(answers)('the program: $about', (answer) => {
  const { type, page, words, minima, spots } = answer;
  const { antecedents, ...own } = spots ?? {};
  const sizes = {
    words,
    minima,
    ...(spots && {
      spots: { ...own, words, ...(antecedents && { antecedents: new Map(Object.entries(antecedents)) }) },
    }),
  } as SketchSizes;
  const body = { url: 'http://h.com/', body: Buffer.from(page), contentType: type, link: undefined };
  expect(createContentMaker(sizes)(body).sketch ?? null).toBe(answer.signature);
});

test.each(answers)('the twin: $about', (answer) => {
  expect(signatureOf(answer)).toBe(answer.signature);
});

test.each(answers.flatMap(({ signature }) => signature ?? []))('each damage to %.30s is noticed', (signature) => {
  const read = (text: string) => parseSketch(text) ?? parseSpots(text);
  expect(read(signature)).toBeDefined();
  const damages = [
    signature.slice(0, -1),
    signature.slice(0, -8),
    `${signature}A`,
    `${signature}AAAAAAAA`,
    `${signature}=`,
    signature.replace(/^(..)1/, '$12'),
    signature.replace(
      /^(db1-\d+-\d+-|sp1-[^-]+-)(\d+)/,
      (_, head: string, count: string) => `${head}${Number(count) + 1}`,
    ),
    `${signature.slice(0, -1)}*`,
    ` ${signature}`,
    signature.toUpperCase(),
  ];
  for (const damaged of damages) expect([damaged, read(damaged)]).toEqual([damaged, undefined]);
});

// The twin.

const page = readFileSync(join(FIXTURES, '..', 'src', 'docs', 'sketch.md'), 'utf8');
const listed = (name: string) => new RegExp('```text ' + name + '\\n([^]*?)```').exec(page)![1]!.trim().split(/\s+/);
const [HIDDEN, PARTING] = [listed('hidden'), listed('parting')].map((names) => new Set(names));
const STOP = listed('stop-words');
const NEAR =
  'that in the be are was will would shall should can could has have had do did does done un une le la el al'.split(
    ' ',
  );

/** Of the small HTML here: tags without > in attributes, and the references of XML. */
function textOf({ type, page: source }: Answer): string {
  if (type !== 'text/html') return source;
  let [text, hidden] = ['', ''];
  for (const [piece, , close, name, attributes] of source.matchAll(
    /<!--[^]*?-->|<![^>]*>|(<(\/?)([a-z0-9]+)([^>]*)>)|[^<]+/gi,
  )) {
    const tag = name?.toLowerCase();
    if (tag === undefined) text += hidden !== '' || piece.startsWith('<!') ? '' : referred(piece);
    else {
      if (tag === hidden && close === '/') hidden = '';
      const alt = /\salt="([^"]*)"/i.exec(attributes ?? '')?.[1];
      if (hidden === '') text += PARTING!.has(tag) ? ' ' : '';
      if (hidden === '' && alt !== undefined) text += ` ${referred(alt)} `;
      if (HIDDEN!.has(tag) && close === '' && hidden === '') hidden = tag;
    }
  }
  return text;
}

const referred = (text: string) =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!);

const LONE = new RegExp(
  `[${'Han Hiragana Katakana Bopomofo Yi Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Javanese Balinese'
    .split(' ')
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('')}]`,
  'u',
);

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let open: 'no' | 'letters' | 'lone' = 'no';
  for (const char of text.toLowerCase()) {
    if (/[\p{Cf}\p{Variation_Selector}]/u.test(char)) continue;
    if (/\p{M}/u.test(char)) {
      if (open !== 'no') words[words.length - 1] += char;
      continue;
    }
    const isLone = /\p{L}/u.test(char) && LONE.test(char);
    if (!/[\p{L}\p{N}]/u.test(char)) open = 'no';
    else if (open === 'letters' && !isLone) words[words.length - 1] += char;
    else {
      words.push(char);
      open = isLone ? 'lone' : 'letters';
    }
  }
  return words;
}

const low32 = (value: bigint) => value & 0xffffffffn;
function mixed(value: bigint): bigint {
  value = low32((value ^ (value >> 16n)) * 0x85ebca6bn);
  value = low32((value ^ (value >> 13n)) * 0xc2b2ae35n);
  return value ^ (value >> 16n);
}
const hashOf = (word: string, seed: bigint, factor: bigint) =>
  mixed(Array.from(word).reduce((hash, char) => low32((hash ^ BigInt(char.codePointAt(0)!)) * factor), seed));

function fingerprintOf(words: readonly string[]): number {
  const polynomial = (seed: bigint, factor: bigint, base: bigint) =>
    mixed(words.reduce((sum, word) => low32(sum * base + hashOf(word, seed, factor)), 0n));
  const first = polynomial(0x811c9dc5n, 0x01000193n, 0x2c1b3c6bn);
  const second = polynomial(0x9e3779b9n, 0x85ebca6bn, 0x297a2d3bn);
  return Number(((second & 0xffn) << 32n) | first);
}

function shinglesOf(words: readonly string[], w: number): number[] {
  if (words.length === 0) return [];
  const width = Math.min(w, words.length);
  return words.slice(width - 1).map((_, at) => fingerprintOf(words.slice(at, at + width)));
}

const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
const base64url = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64url');
const fiveBytes = (value: number) => [4, 3, 2, 1, 0].map((at) => Math.floor(value / 256 ** at) % 256);

function signatureOf(answer: Answer): string | null {
  const { words: w, minima, spots } = answer;
  const words = wordsOf(textOf(answer));
  const shingles = shinglesOf(words, w);
  if (spots !== undefined) return spotSignature(words, shingles, w, spots);
  const smallest = ascending(shingles).slice(0, minima);
  if (smallest.length === 0) return null;
  return `db1-${w}-${minima}-${smallest.length}-${base64url(smallest.flatMap(fiveBytes))}`;
}

function spotSignature(
  words: readonly string[],
  shingles: readonly number[],
  w: number,
  options: NonNullable<Answer['spots']>,
) {
  const { kind, chain, long, antecedents, stopWords } = options;
  const distances = new Map(
    Object.entries(antecedents ?? { ...Object.fromEntries(NEAR.map((one) => [one, 1])), is: 2 }),
  );
  const stops = new Set([...(stopWords ?? STOP), ...distances.keys()]);
  const spots = words.flatMap((word, at) => {
    const distance = distances.get(word);
    if (distance === undefined) return [];
    const taken: string[] = [];
    for (let next = at + distance; taken.length < chain; next += distance) {
      while (stops.has(words[next] ?? '')) next++;
      if (next >= words.length) return [];
      taken.push(words[next]!);
    }
    return [fingerprintOf(taken)];
  });
  const isSized = kind === 'sizespotsigs';
  const bags = [!isSized || spots.length >= long ? spots : [], isSized && spots.length < 2 * long ? shingles : []];
  const each = bags.map((bag) =>
    ascending(bag).map((print) => [...fiveBytes(print), Math.min(255, bag.filter((one) => one === print).length)]),
  );
  if (each.every((features) => features.length === 0) || each.some(({ length }) => length > 16_384)) return null;
  const own = [
    Object.entries(antecedents ?? {})
      .map(String)
      .sort(),
    [...(stopWords ?? [])].sort(),
  ];
  const sum = createHash('sha256').update(JSON.stringify(own)).digest('hex').slice(0, 8);
  const making = `${kind}.${chain}${isSized ? `.${long}.${w}` : ''}${antecedents || stopWords ? `.${sum}` : ''}`;
  return `sp1-${making}-${each[0]!.length}-${each[1]!.length}-${base64url(each.flat(2))}`;
}
