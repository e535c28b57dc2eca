// Mining on several machines, each with a part of the sites: chooses the sites of a part, and merges the files of all
// parts.
//
//    machine 1   all inputs ──→ sites with hash % 3 = 0 ──→ rules, part 1 of 3 ──┐
//    machine 2   all inputs ──→ sites with hash % 3 = 1 ──→ rules, part 2 of 3 ──┼──→ one file
//    machine 3   all inputs ──→ sites with hash % 3 = 2 ──→ rules, part 3 of 3 ──┘
//
// A site is mined by itself, and the order of rules depends only on the rules themselves (rank-key.ts), so the merged
// file has the bytes of one run over all sites. All parts read all lines, and have the same counts. But the hosts of a
// part learn from each other only, so there are rules of classes of hosts for each part.
import { encodeText } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { addTo } from '../base/group-by.js';
import { hashText } from '../base/hash.js';
import { RowWriter } from '../base/row.js';
import type { RecordBatch } from '../log/record.js';
import { hostsNamed } from '../rule/of-hosts.js';
import type { Condition, Rule, RulesFile } from '../rule/rule.js';
import type { SiteOf } from '../table/url-list.js';
import type { MostRules } from './most-rules.js';
import { partOfText, textOfPart, type Part } from './part-text.js';
import { putRuleKey } from './rank-key.js';

/** The part of the site, of n, from 1: the same on every machine and in every version. */
export function partOfSite(site: string, n: number): number {
  return (hashText(site) % n) + 1;
}

/** True if the site belongs to the part. */
export function hasSite({ k, n }: Part, site: string): boolean {
  return partOfSite(site, n) === k;
}

/** The rows of a part. */
export class PartOfSites {
  readonly #part: Part;
  readonly #siteOf: SiteOf;
  readonly #known = new Map<string, boolean>();

  constructor(part: Part, siteOf: SiteOf) {
    this.#part = part;
    this.#siteOf = siteOf;
  }

  /** The batch with only the rows of the part, in its own columns, which are overwritten. */
  of(batch: RecordBatch): RecordBatch {
    const { bytes, urlStart, urlEnd } = batch;
    return keptRows(batch, (row) => this.#has(this.#siteOf(bytes, urlStart[row]!, urlEnd[row]!)));
  }

  /** Caches only some sites, as a crawl has millions. */
  #has(site: string): boolean {
    let isMine = this.#known.get(site);
    if (isMine !== undefined) return isMine;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(site, (isMine = hasSite(this.#part, site)));
    return isMine;
  }
}

const MOST_KNOWN = 1 << 16;

/** The batch with only these rows: URLs, sizes and sketches, in its own columns, which are overwritten. */
export function keptRows(batch: RecordBatch, isWanted: (row: number) => boolean): RecordBatch {
  const { urlStart, urlEnd, size, sketchStart, sketchEnd } = batch;
  let kept = 0;
  for (let row = 0; row < batch.rows; row++) {
    if (!isWanted(row)) continue;
    if (kept < row) {
      urlStart[kept] = urlStart[row]!;
      urlEnd[kept] = urlEnd[row]!;
      size[kept] = size[row]!;
      sketchStart[kept] = sketchStart[row]!;
      sketchEnd[kept] = sketchEnd[row]!;
    }
    kept++;
  }
  return { ...columnsOf(batch), rows: kept };
}

/** The fields of a batch, some of which may be getters. */
function columnsOf({ block, rows, bytes, urlStart, urlEnd, size, sketchStart, sketchEnd, ...rest }: RecordBatch) {
  const { visitor, day, duration, client, agent, status } = rest;
  const who = { visitor, day, duration, client, agent };
  return { block, rows, bytes, urlStart, urlEnd, size, sketchStart, sketchEnd, ...who, status };
}

/** A file, and what messages call it. */
export interface NamedRules {
  readonly name: string;
  readonly file: RulesFile;
}

/** The rules of a file, for merging. */
export interface RulesOf {
  readonly name: string;
  readonly file: Pick<RulesFile, 'rules'>;
}

export interface MergedRules {
  readonly rules: Rule[];
  /** How many rules of the lowest ranks are left out. */
  readonly unlisted: number;
}

export interface MergedFile extends Pick<MergedRules, 'unlisted'> {
  readonly file: RulesFile;
}

/**
 * Merges the files of all parts of a run. The result has the bytes of a run over all sites, except that `created` is
 * the latest of the parts. Throws a UserError if the files are not parts of one run, or if one is missing.
 */
export function mergeParts(files: readonly NamedRules[], most: MostRules): MergedFile {
  checkParts(files);
  const all = files.map(({ file }) => file);
  const { part: _, ...first } = all.find(({ part }) => part!.startsWith('1/'))!;
  const sum = (numberOf: (file: RulesFile) => number) => all.reduce((total, file) => total + numberOf(file), 0);
  const created = all
    .flatMap((file) => file.created ?? [])
    .sort()
    .at(-1);
  const inOrder = files.toSorted((a, b) => partOfText(a.file.part!)!.k - partOfText(b.file.part!)!.k);
  const { rules, unlisted } = mergeRules(inOrder, first.options.rank, most);
  const file = {
    ...first,
    ...(created !== undefined && { created }),
    urls: sum(({ urls }) => urls),
    sites: { mined: sum(({ sites }) => sites.mined), skipped: sum(({ sites }) => sites.skipped) },
    rules,
  };
  return { file, unlisted };
}

function checkParts(files: readonly NamedRules[]): void {
  const parts = new Map<number, string>();
  const [first] = files;
  let of = 0;
  for (const { name, file } of files) {
    const part = partOfText(file.part ?? '');
    if (part === undefined) {
      throw new UserError(`"${name}" has the rules of all sites; expected files of mine --part-of-sites k/n`);
    }
    const before = parts.get(part.k);
    if (before !== undefined) {
      throw new UserError(`"${before}" and "${name}" are both part ${file.part}; expected each part once`);
    }
    parts.set(part.k, name);
    of ||= part.n;
    if (file.validation !== undefined || file.night !== undefined) {
      throw new UserError(`"${name}" was validated; expected files as mine writes them: merge first, then validate`);
    }
    const other = part.n === of ? differenceOf(first!.file, file) : 'the number of parts';
    if (other === undefined) continue;
    const got = `"${first!.name}" and "${name}" differ in ${other}`;
    throw new UserError(`${got}; expected parts of one run: the same version, options and inputs`);
  }
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((k) => !parts.has(k));
  if (missing.length === 0) return;
  const shown = missing.slice(0, MOST_SHOWN).map((k) => textOfPart({ k, n: of }));
  const more = missing.length > MOST_SHOWN ? ' …' : '';
  throw new UserError(`got ${files.length} of ${of} parts; expected ${shown.join(', ')}${more} too`);
}

const MOST_SHOWN = 20;

/** A difference between two files that parts of one run cannot have. Inputs may have other paths on each machine. */
export function differenceOf(one: RulesFile, other: RulesFile): string | undefined {
  const common = ({ generator, options, urlForm, normalization, inputs }: RulesFile) => ({
    'the version': generator,
    'the options': options,
    'the form of URLs': urlForm,
    'the normalization': normalization,
    'the inputs': inputs.map((input) => ({ ...input, name: '' })),
  });
  const [a, b] = [Object.entries(common(one)), Object.values(common(other))];
  return a.find(([, value], at) => JSON.stringify(value) !== JSON.stringify(b[at]))?.[0];
}

/**
 * Merges the rules in their common order, up to the most that a run would keep. Rules of classes of hosts come first: each
 * part has them for its own hosts.
 */
export function mergeRules(
  files: readonly RulesOf[],
  order: RulesFile['options']['rank'],
  most: MostRules,
): MergedRules {
  const row = new RowWriter();
  const ofClasses = joinClasses(files.flatMap(({ file }) => file.rules.filter(({ hosts }) => hosts !== undefined)));
  const keyed = files.flatMap(({ name, file }) =>
    file.rules
      .filter(({ hosts }) => hosts === undefined)
      .map((rule) => ({ rule, key: decodeKey(putKey(row.clear(), rule, order, name)) })),
  );
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const rules: Rule[] = ofClasses.map((rule, at) => ({ ...rule, rank: at + 1 }));
  let bytes = 0;
  for (const { rule } of keyed) {
    const { rank: _, id: __, ...unranked } = rule;
    bytes += encodeText(JSON.stringify(unranked)).length;
    if (rules.length - ofClasses.length === most.rules || bytes > most.bytes) break;
    rules.push({ ...rule, rank: rules.length + 1 });
  }
  return { rules, unlisted: ofClasses.length + keyed.length - rules.length };
}

/** The rules of classes in the files of all parts: those that differ in their hosts alone are one. */
export function joinClasses(rules: readonly Rule[]): Rule[] {
  const groups = new Map<string, Rule[]>();
  for (const rule of [...rules].sort((a, b) => a.rank - b.rank)) {
    const { rank: _rank, id: _id, only, ...what } = rule;
    const key = JSON.stringify([only === undefined, what]);
    addTo(groups, key, rule);
  }
  return [...groups.values()].map(joinedRule);
}

function joinedRule(rules: readonly Rule[]): Rule {
  const [first] = rules as readonly [Rule];
  if (first.only === undefined || rules.length === 1) return first;
  const hosts = new Set(rules.flatMap(hostsNamed));
  return { ...first, only: [...hosts].sort().map((is): Condition => ({ part: 'host', is })) };
}

/** One character per byte, so that texts sort as the bytes do. */
function decodeKey({ bytes, length }: RowWriter): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
}

const MINED_STEPS: ReadonlySet<string> = new Set(['add-end-slash', 'sort-items', 'drop-repeated-items']);

function putKey(row: RowWriter, rule: Rule, order: RulesFile['options']['rank'], name: string): RowWriter {
  const isMined = rule.kind === 'step' ? MINED_STEPS.has(rule.step) : rule.kind !== 'pattern';
  if (isMined && rule.kind !== 'pattern') return putRuleKey(row, rule, order);
  throw new UserError(`"${name}" has rules of kind ${rule.kind}; expected files as mine writes them`);
}
