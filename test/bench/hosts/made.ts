// Hosts whose truth is known: which URLs each has, which of them are one page, and why.
//
//   host k ── class of software, size, mount, main name, which rules hold here, sizes of its pages
//     └ document ── a template filled with words and numbers
//         └ names ── the main one, and those that one or two rules of the class make of it
//
// The page of a name is its document; on a host where a rule means something else, also what the rule put into the name.
// A host follows from its number and the seed, so that a million hosts need no memory.
import { mix, seeded } from '../input/random.js';
import type { Software } from './software.js';
import type { Address, Rule, Site } from './ways.js';
import { filled, oneOf, type Random, sectionsOf, templateOf, valuesFor, word } from './words.js';

export interface MadeUrl {
  readonly url: string;
  readonly page: string;
  /** The kinds of rules that made this name, joined by `+`; `!` behind one that means another page here; `-` for none. */
  readonly kinds: string;
  /** Bytes of the page, as its server sends it this time. */
  readonly size: (random: Random) => number;
  /** The digest of these bytes. */
  readonly digest: (random: Random) => number;
}

export interface MadeHost {
  readonly name: string;
  readonly software: string;
  readonly set: Set;
  /** How many URLs it was to have. */
  readonly size: number;
  readonly urls: readonly MadeUrl[];
}

export type Set = 'open' | 'aside' | 'farm' | 'wildcard';

export interface Plan {
  readonly seed: number;
  readonly hosts: number;
  readonly classes: readonly { readonly set: Set; readonly software: Software }[];
  /** URLs of each host; without it, sizes by a power law. */
  readonly urlsPerHost: number | undefined;
  /** Hosts of a spam farm: pages of one size, each a page by itself, below one domain. */
  readonly farm: number;
  /** Hosts that a wildcard of DNS makes up: the same three pages under any name. */
  readonly wildcard: number;
}

/** As many hosts of a size as makes each size the same number of URLs. */
export const SIZES = [3, 10, 100, 1_000, 10_000];

const COMMON_TEMPLATES = ['/', '/about', '/contact.html', '/{word}', '/search?q={word}'].map(templateOf);
const CONTENTS = 10;

export function* madeHosts(plan: Plan): Generator<MadeHost> {
  for (let k = 0; k < plan.hosts; k++) yield madeHost(k, plan);
  for (let k = 0; k < plan.farm; k++) yield farmHost(k, plan);
  for (let k = 0; k < plan.wildcard; k++) yield wildcardHost(k, plan);
}

function madeHost(number: number, plan: Plan): MadeHost {
  const random = seeded(mix(number, plan.seed));
  const { set, software } = classOf(plan, random);
  const size = plan.urlsPerHost ?? sizeOf(number, plan);
  const name = `${word(random)}-${word(random)}-${number.toString(36)}.example`;
  const urls = urlsOf({ name, size, software, random, pageSizes: pageSizesOf(random), isFarm: false });
  return { name, software: software.name, set, size, urls };
}

/** A host of a farm runs the most frequent class; whatever its URLs differ in, each is a page, and all have one size. */
function farmHost(number: number, plan: Plan): MadeHost {
  const random = seeded(mix(number, plan.seed + 7));
  const { software } = plan.classes.reduce((most, next) => (next.software.share > most.software.share ? next : most));
  const size = plan.urlsPerHost ?? SIZES[1]!;
  const name = `${word(random)}-${number.toString(36)}.farm.example`;
  const urls = urlsOf({ name, size, software, random, pageSizes: { base: 4_096, spread: 0, jitter: 0 }, isFarm: true });
  return { name, software: software.name, set: 'farm', size, urls };
}

function wildcardHost(number: number, plan: Plan): MadeHost {
  const name = `${word(seeded(mix(number, plan.seed + 8)))}-${number.toString(36)}.wildcard.example`;
  const urls = ['/', '/about', '/contact'].map((path, at): MadeUrl => {
    return {
      url: `http://${name}${path}`,
      page: `wildcard:${at}`,
      kinds: '-',
      size: () => 9_000 + at,
      digest: () => at,
    };
  });
  return { name, software: 'wildcard', set: 'wildcard', size: 3, urls };
}

function classOf({ classes }: Plan, random: Random): Plan['classes'][number] {
  let left = random() * classes.reduce((sum, { software }) => sum + software.share, 0);
  return classes.find(({ software }) => (left -= software.share) < 0) ?? classes.at(-1)!;
}

/** Sizes by quota, so that no list lacks its few large hosts: one host in 4,444 has 10,000 URLs. */
function sizeOf(number: number, { seed }: Plan): number {
  const weights = SIZES.map((size) => 1 / size);
  const all = weights.reduce((sum, weight) => sum + weight);
  let left = ((number * 0.618_033_988_75 + mix(seed) / 2 ** 32) % 1) * all;
  return SIZES.find((_, k) => (left -= weights[k]!) < 0) ?? SIZES.at(-1)!;
}

/** Bytes of pages: a heavy tail around `base`, and how much two answers of one page differ. */
interface PageSizes {
  readonly base: number;
  readonly spread: number;
  readonly jitter: number;
}

function pageSizesOf(random: Random): PageSizes {
  const kind = random();
  const spread = kind < 0.75 ? 0.4 : kind < 0.9 ? 0.1 : kind < 0.985 ? 0.01 : 0;
  const jitter = spread === 0 || random() < 0.6 ? 0 : 0.001 + 0.009 * random();
  return { base: 3_000 + 40_000 * random() ** 2, spread, jitter };
}

interface HostDraw {
  readonly name: string;
  readonly size: number;
  readonly software: Software;
  readonly random: Random;
  readonly pageSizes: PageSizes;
  /** Every name is a page by itself. */
  readonly isFarm: boolean;
}

interface LocalRule extends Rule {
  readonly isTrue: boolean;
}

function urlsOf(host: HostDraw): MadeUrl[] {
  const { random, size } = host;
  const site = siteOf(host);
  const rules = localRules(host);
  const mainOf = mainNames(host);
  const pages = new Map<string, string>();
  const found = new Map<string, MadeUrl>();
  const documents = new Map<string, string>();
  for (let tries = 0; found.size < size && tries < 40 * size; tries++) {
    const document = mainOf();
    const loose = looseOf(document);
    if ((documents.get(loose) ?? document.path) !== document.path) continue;
    documents.set(loose, document.path);
    const count = namesOfDocument(random, rules.length);
    const isMainSeen = random() < 0.85;
    for (let k = isMainSeen ? 0 : 1; k <= count && found.size < size; k++) {
      const name = k === 0 ? { address: document, key: '', kinds: '-' } : otherName(document, rules, site);
      if (name === undefined) continue;
      const url = textOf(name.address);
      if (found.has(url)) continue;
      const key = host.isFarm ? url : `${textOf(document)} ${name.key}`;
      const serial = pages.get(key) ?? String(pages.size);
      pages.set(key, serial);
      found.set(url, { url, page: `${host.name}:${serial}`, kinds: name.kinds, ...contentOf(host, key) });
    }
  }
  return [...found.values()];
}

/** Two documents of a host never have main names that a rule could lead to each other. */
function looseOf({ path, query }: Address): string {
  const bare = path
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replace(/\/$/, '');
  return [bare, ...query].join('&');
}

function siteOf({ random, size }: HostDraw): Site {
  const visitors = Array.from({ length: Math.max(2, Math.ceil(size / 8)) }, () => Math.floor(random() * 2 ** 32));
  return { random, visitor: () => oneOf(visitors, random) };
}

/** Rules of the class that this host has, and what they mean here. A few of them make most of its names. */
function localRules({ software, random }: HostDraw): LocalRule[] {
  return software.rules.flatMap<LocalRule>((rule) => {
    const chance = random();
    const use = rule.use * (0.1 + random() ** 2);
    if (chance < rule.differs) return [{ ...rule, use, isTrue: false }];
    return chance < rule.differs + rule.holds ? [{ ...rule, use, isTrue: true }] : [];
  });
}

/** Main names of documents, one after another; the next one is often like the last one of its template. */
function mainNames({ name, software, random }: HostDraw): () => Address {
  const sections = sectionsOf(random);
  const mount = software.mounts.length > 0 && random() < 0.2 ? oneOf(software.mounts, random) : '';
  const scheme = random() < 0.6 ? 'https' : 'http';
  const host = random() < 0.4 ? `www.${name}` : name;
  const last = new Map<unknown, string[]>();
  return () => {
    const isOwn = random() < 0.92;
    const template = oneOf(isOwn ? software.templates : COMMON_TEMPLATES, random);
    const values = valuesFor(template, sections, random, last.get(template));
    last.set(template, values);
    const { path, query } = filled(template, values);
    return { scheme, host, path: isOwn ? mount + path : path, query };
  };
}

function namesOfDocument(random: Random, rules: number): number {
  const chance = random();
  if (rules === 0 || chance < 0.45) return 0;
  return chance < 0.75 ? 1 : chance < 0.92 ? 2 : 3;
}

interface OtherName {
  readonly address: Address;
  /** What rules that mean something else here have put into the name. */
  readonly key: string;
  readonly kinds: string;
}

/** A name by one rule, or by two of a fourth of the names. */
function otherName(document: Address, rules: readonly LocalRule[], site: Site): OtherName | undefined {
  const first = varied({ address: document, key: '', kinds: '' }, rules, site);
  return first !== undefined && site.random() < 0.25 ? (varied(first, rules, site) ?? first) : first;
}

function varied(name: OtherName, rules: readonly LocalRule[], site: Site): OtherName | undefined {
  const used = new Set<string>(name.kinds.replaceAll('!', '').split('+'));
  if (used.has('www')) used.add('mobile'); // m.host has no www, so it would not say which of the two hosts it is of
  const free = rules.filter(({ kind }) => !used.has(kind));
  const rule = byUse(free, site.random);
  const result = rule?.vary(name.address, site);
  if (rule === undefined || result === undefined) return undefined;
  const key = rule.isTrue ? name.key : [name.key, `${rule.kind} ${result.value}`].toSorted().join(' ');
  const kinds = [name.kinds, rule.isTrue ? rule.kind : `${rule.kind}!`].filter((kind) => kind !== '').join('+');
  return { address: result.address, key, kinds };
}

function byUse(rules: readonly LocalRule[], random: Random): LocalRule | undefined {
  let left = random() * rules.reduce((sum, { use }) => sum + use, 0);
  return rules.find(({ use }) => (left -= use) < 0);
}

/** Size and digest of the page with this key; the digest of a page that differs each time differs too. */
function contentOf({ name, pageSizes }: HostDraw, key: string): Pick<MadeUrl, 'size' | 'digest'> {
  const { base, spread, jitter } = pageSizes;
  const page = hash(`${name} ${key}`);
  const random = seeded(page);
  const tail = random() < 0.05 ? 1 + 4 * random() : 1;
  const mean = base * Math.exp(spread * bell(random)) * (spread > 0.05 ? tail : 1);
  return {
    size: (request) => Math.round(mean * (1 + jitter * (request() - 0.5))),
    digest: (request) => (jitter === 0 ? page : mix(page, Math.floor(request() * 2 ** 31))),
  };
}

/** About normal, within four deviations. */
function bell(random: Random): number {
  let sum = 0;
  for (let k = 0; k < CONTENTS; k++) sum += random();
  return (sum - CONTENTS / 2) / Math.sqrt(CONTENTS / 12);
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return mix(state);
}

export function textOf({ scheme, host, path, query }: Address): string {
  const fields = query.map((pair) => pair.join('=')).join('&');
  return `${scheme}://${host}${path}${fields === '' ? '' : `?${fields}`}`;
}
