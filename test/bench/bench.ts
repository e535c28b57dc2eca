// The harness: a case makes its inputs, then runs several ways to do one task, round-robin. The answers of the first
// round are checked before the second, and a task with different answers is not reported.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InputFiles } from './input/files.js';
import { hasProgram, outputOf, runOnce, type Command, type Sample } from './measure.js';
import { tableOf, type Bar, type Line, type Row } from './report.js';

export interface Case {
  readonly name: string;
  /** Left out unless it is named. */
  readonly isByHand?: boolean;
  run(bench: Bench): Promise<void>;
}

export interface Way {
  readonly who: string;
  /** A command to be measured from outside, or a run that measures itself. */
  readonly run: Command | (() => Promise<Sample>);
  /** The program that this way is left out without. */
  readonly needs?: string;
  /** Throws if the answer is wrong, after the first run: gets the measurement, and where standard output went. */
  readonly check?: (sample: Sample, stdout: string) => void | Promise<void>;
  /** Default: 3; a third of it in a quick run. */
  readonly runs?: number;
  /** If this way does a different amount of work than the others. */
  readonly count?: number;
  /** Called after the runs. */
  readonly note?: () => string;
  /** The line of the chart that this is a point of. */
  readonly series?: string;
  /** The bars of this row, given all rows of the task. */
  readonly bars?: (row: Row, rows: readonly Row[]) => readonly Bar[];
}

export interface Work {
  readonly work: string;
  readonly count: number;
  readonly unit: string;
  /** The first is the one that the others are compared with. */
  readonly ways: readonly Way[];
}

export const PROGRAM = new URL('../../../bin/dustbuster.js', import.meta.url).pathname;

/** dustbuster as a process. */
export const dustbuster = (...args: readonly string[]): readonly string[] => [process.execPath, PROGRAM, ...args];

/** A script beside this file as a process. */
export function script(name: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, new URL(`./${name}.js`, import.meta.url).pathname, ...args];
}

export const threadsInWords = (threads: number): string => (threads === 1 ? '1 thread' : `${threads} threads`);

export class Bench {
  readonly threads = Math.min(4, cpus().length);
  readonly isQuick: boolean;
  readonly inputs: InputFiles;
  readonly #scratch: string;
  readonly #samples = new Map<string, Promise<Sample>[]>();
  readonly #lines: Line[] = [];

  constructor(isQuick: boolean, inputs: InputFiles, scratch: string) {
    this.isQuick = isQuick;
    this.inputs = inputs;
    this.#scratch = scratch;
  }

  /** `count`, or a tenth of it in a quick run. */
  scaled(count: number): number {
    return this.isQuick ? count / 10 : count;
  }

  /** A file that goes with the run. */
  scratch(name: string): string {
    return join(this.#scratch, name);
  }

  say(text: string): void {
    process.stdout.write(text);
  }

  /** The lines of all works since the last call. */
  take(): readonly Line[] {
    return this.#lines.splice(0);
  }

  /** Round-robin, so that other load on the machine affects all ways alike. */
  async compare({ work, count, unit, ways }: Work): Promise<void> {
    const missing = new Map<Way, string>();
    for (const way of ways) if (way.needs !== undefined && !(await hasProgram(way.needs))) missing.set(way, way.needs);
    const tried = ways.filter((way) => !missing.has(way));
    const samples = new Map(tried.map((way) => [way, [] as Sample[]]));
    const runsOf = (way: Way) => Math.ceil((way.runs ?? 3) / (this.isQuick ? 3 : 1));
    for (let turn = 0; turn < Math.max(...tried.map(runsOf)); turn++) {
      for (const way of tried) if (turn < runsOf(way)) samples.get(way)!.push(await this.#sample(way, turn));
    }
    const plain = tried.map((way) => rowOf(work, unit, way, samples.get(way)!, way.count ?? count));
    const rows = plain.map((row) => ({ ...row, ratio: plain[0]!.rate / row.rate }));
    const judged = new Map(tried.map((way, at) => [way, { ...rows[at]!, bars: way.bars?.(rows[at]!, rows) ?? [] }]));
    const lines = ways.map((way): Line => judged.get(way) ?? leftOut(work, way.who, missing.get(way)!));
    this.#lines.push(...lines);
    this.say(`${tableOf(lines)}\n`);
  }

  /** A command that is part of several tasks is run for the first of them only. */
  async #sample({ run, check }: Way, turn: number): Promise<Sample> {
    const stdout = this.scratch('stdout');
    const key = String(run);
    const known = this.#samples.get(key) ?? [];
    if (typeof run !== 'function') this.#samples.set(key, known);
    const sample = await (known[turn] ??= typeof run === 'function' ? run() : runOnce(run, stdout));
    if (turn === 0) await check?.(sample, stdout);
    return sample;
  }
}

function leftOut(work: string, who: string, program: string): Line {
  return { kind: 'left out', work, who, note: `left out: ${program} is not installed` };
}

function rowOf(work: string, unit: string, way: Way, samples: readonly Sample[], count: number): Row {
  const sorted = samples.toSorted((a, b) => a.seconds - b.seconds);
  const { seconds: median, cpuSeconds } = sorted[Math.floor(sorted.length / 2)]!;
  return {
    kind: 'measured',
    work,
    who: way.who,
    seconds: samples.map(({ seconds }) => seconds),
    median,
    min: sorted[0]!.seconds,
    max: sorted.at(-1)!.seconds,
    cpuSeconds,
    mebibytes: Math.max(...samples.map(({ mebibytes }) => mebibytes)),
    count,
    rate: count / median,
    unit,
    series: way.series ?? null,
    ratio: 1,
    bars: [],
    note: way.note?.() ?? '',
  };
}

/** A command that measures itself in a warm process, and prints a `Sample`. */
export function inside(...args: readonly string[]): () => Promise<Sample> {
  return async () => JSON.parse(await outputOf(script('inside', ...args))) as Sample;
}

/** Nothing is reported whose answer is wrong. */
export function expectSame<T extends string | number>(what: string, ours: T, theirs: T): void {
  if (ours === theirs) return;
  const shown = (answer: T) => String(answer).slice(0, 500);
  throw new Error(`${what}: the answers differ\n${shown(ours)}\n${shown(theirs)}`);
}

/** Call this with the answer of each way: all have to equal the first. */
export function sameAnswer(what: string): (answer: string | number) => void {
  let first: string | number | undefined;
  return (answer) => expectSame(what, (first ??= answer), answer);
}

/** A fingerprint of a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** A fingerprint of the lines of a file, whatever their order. */
export function digestOfLines(path: string): string {
  const lines = readFileSync(path, 'latin1').split('\n').toSorted();
  return createHash('sha256').update(lines.join('\n'), 'latin1').digest('hex');
}
