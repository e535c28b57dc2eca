// How much of what is reducible do canonical forms reduce, and which documents do they lose? Streams, and sorts on disk,
// so that lists of any length are judged:
//
//   truth and pairs, line by line   → form, page, kinds, groups      sorted by form and page
//   one form after another          → page, names, is shared, …      sorted by page
//   one page after another          → counts of each group
//
// A page is lost if one of its forms is also that of another page. Pages of a spam farm and of a wildcard are counted by
// themselves only: what is learned on other hosts because of them shows in the counts of all others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { truthOf } from './truth.js';

export interface Counts {
  readonly group: string;
  urls: number;
  pages: number;
  /** URLs that are not the first of their page. */
  reducible: number;
  /** How many forms less than URLs these pages have. */
  merged: number;
  /** Pages that share a form with another page. */
  lost: number;
}

/** `truth` has a line for each line of `pairs`, in the same order. Groups are in the order of their first line. */
export async function judged(truth: Readable, pairs: Readable): Promise<Counts[]> {
  const byForm = sorted(['-k1,1', '-k2,2'], formLines(truth, pairs));
  const byPage = sorted(['-k1,1'], pageLines(byForm));
  return counted(byPage);
}

async function* formLines(truth: Readable, pairs: Readable): AsyncGenerator<string> {
  const forms = linesOf(pairs)[Symbol.asyncIterator]();
  for await (const line of linesOf(truth)) {
    const { url, page, kinds, software, set, size, part } = truthOf(line);
    const next = await forms.next();
    const [from, to] = next.done ? [] : next.value.split('\t');
    if (from !== url)
      throw new Error(`the pair of ${url} is of ${from}, expected a pair of each line of truth, in order`);
    const hosts = part === 'never' ? 'never mined' : 'mined';
    const groups = [`set ${set}`, `size ${size}`, `class ${software}`, `hosts ${hosts}`].join('|');
    yield `${to ?? from}\t${page}\t${kinds}\t${groups}`;
  }
}

/** A line for each form of each page: page, whether another page has the form, kinds of the names, groups. */
async function* pageLines(byForm: AsyncIterable<string>): AsyncGenerator<string> {
  let form: string | undefined;
  let pages = new Map<string, { names: string[]; groups: string }>();
  const flushed = (): string[] =>
    [...pages].map(([page, { names, groups }]) => [page, pages.size > 1 ? 1 : 0, names.join(), groups].join('\t'));
  for await (const line of byForm) {
    const [next, page, kinds, groups] = line.split('\t') as [string, string, string, string];
    if (next !== form) {
      yield* flushed();
      pages = new Map();
      form = next;
    }
    const one = pages.get(page);
    if (one === undefined) pages.set(page, { names: [kinds], groups });
    else one.names.push(kinds);
  }
  yield* flushed();
}

interface FormOfPage {
  readonly isShared: boolean;
  readonly names: readonly string[];
}

async function counted(byPage: AsyncIterable<string>): Promise<Counts[]> {
  const counts = new Map<string, Counts>();
  const of = (group: string): Counts => {
    const known = counts.get(group) ?? { group, urls: 0, pages: 0, reducible: 0, merged: 0, lost: 0 };
    counts.set(group, known);
    return known;
  };
  let page: string | undefined;
  let forms: FormOfPage[] = [];
  let groups: string[] = [];
  const flush = (): void => {
    const set = groups[0]!;
    if (set === 'set farm' || set === 'set wildcard') return addPage(of(set), forms);
    for (const group of ['all', ...groups]) addPage(of(group), forms);
    for (const [kind, add] of kindsOf(forms)) add(of(`rule ${kind}`));
  };
  for await (const line of byPage) {
    const [next, isShared, names, joined] = line.split('\t') as [string, string, string, string];
    if (next !== page) {
      if (page !== undefined) flush();
      [page, forms, groups] = [next, [], joined.split('|')];
    }
    forms.push({ isShared: isShared === '1', names: names.split(',') });
  }
  if (page !== undefined) flush();
  return [...counts.values()].toSorted((a, b) => rankOf(a.group) - rankOf(b.group));
}

function addPage(counts: Counts, forms: readonly FormOfPage[]): void {
  const urls = forms.reduce((sum, { names }) => sum + names.length, 0);
  counts.urls += urls;
  counts.pages++;
  counts.reducible += urls - 1;
  counts.merged += urls - forms.length;
  if (forms.some(({ isShared }) => isShared)) counts.lost++;
}

/** By kind of rule: of its names, those that have the form of the main name, or else of the most names. */
function kindsOf(forms: readonly FormOfPage[]): [string, (counts: Counts) => void][] {
  const most = forms.reduce((best, next) => (next.names.length > best.names.length ? next : best));
  const main = forms.find(({ names }) => names.includes('-')) ?? most;
  const isAlone = forms.length === 1 && main.names.length === 1;
  return forms.flatMap((form) =>
    form.names
      .filter((kinds) => kinds !== '-')
      .map((kinds): [string, (counts: Counts) => void] => [
        kinds.includes('+') ? (kinds.includes('!') ? 'two, one of them false' : 'two') : kinds,
        (counts) => {
          counts.urls++;
          counts.pages++;
          if (!isAlone) counts.reducible++;
          if (form === main && form.names.length > 1) counts.merged++;
          if (form.isShared) counts.lost++;
        },
      ]),
  );
}

const ORDER = ['all', 'set', 'hosts', 'size', 'rule', 'class'];

function rankOf(group: string): number {
  const [kind, name] = group.split(' ');
  return 1e6 * ORDER.indexOf(kind!) + (kind === 'size' ? Number(name) : 0);
}

function linesOf(input: Readable): AsyncIterable<string> {
  return createInterface({ input, crlfDelay: Infinity });
}

/** The lines sorted by GNU sort, whose bytes decide. */
async function* sorted(keys: readonly string[], lines: AsyncIterable<string>): AsyncGenerator<string> {
  const sort = spawn('sort', ['-s', '-t', '\t', '-S', '512M', ...keys], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  const ended = once(sort, 'close');
  let block = '';
  for await (const line of lines) {
    block += `${line}\n`;
    if (block.length < 1 << 16) continue;
    if (!sort.stdin.write(block)) await once(sort.stdin, 'drain');
    block = '';
  }
  sort.stdin.end(block);
  yield* linesOf(sort.stdout);
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`sort ended with ${code}`);
}

/** A table: how much of what is reducible was reduced, and how many documents were lost. */
export function tableOf(counts: readonly Counts[]): string {
  const share = (part: number, of: number): string => (of === 0 ? '' : (part / of).toFixed(4));
  const rows = counts.map(({ group, urls, pages, reducible, merged, lost }) =>
    [group, urls, pages, reducible, share(merged, reducible), lost, of100(lost, pages)].join(' | '),
  );
  const head = [
    'group | URLs | pages | reducible | reduced | lost | lost %',
    '--- | --- | --- | --- | --- | --- | ---',
  ];
  return `${[...head, ...rows].map((row) => `| ${row} |`).join('\n')}\n`;
}

function of100(part: number, of: number): string {
  return of === 0 ? '' : `${((100 * part) / of).toFixed(3)} %`;
}
