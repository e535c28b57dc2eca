// The harness: a case makes its inputs, checks the answers, then lets several ways do one work in turns.
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { InputFiles } from './input/files.js';
import { outputOf, runOnce, type Command, type Sample } from './measure.js';
import { tableOf, type Bar, type Row } from './report.js';

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
  /** Default: 3; a third of it in a quick run. */
  readonly runs?: number;
  /** Where this way does another amount of the work than the others. */
  readonly count?: number;
  readonly note?: string;
  /** The line of the chart that this is a point of. */
  readonly series?: string;
  /** What the row is held to, once all rows of the work are known. */
  readonly bars?: (row: Row, rows: readonly Row[]) => readonly Bar[];
}

export interface Work {
  readonly work: string;
  readonly count: number;
  readonly unit: string;
  /** The first is what the others are compared with. */
  readonly ways: readonly Way[];
  /** Compares what the ways have written, after the first turn. Where the answers differ nothing is reported. */
  readonly check?: () => Promise<void>;
}

export const PROGRAM = new URL('../../../bin/dustbuster.js', import.meta.url).pathname;

/** dustbuster as a process. */
export const dustbuster = (...args: readonly string[]): readonly string[] => [process.execPath, PROGRAM, ...args];

/** A script beside this file as a process. */
export function script(name: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, new URL(`./${name}.js`, import.meta.url).pathname, ...args];
}

export class Bench {
  readonly rows: Row[] = [];
  readonly threads = Math.min(4, cpus().length);
  readonly isQuick: boolean;
  readonly inputs: InputFiles;
  readonly #scratch: string;
  readonly #samples = new Map<string, Promise<Sample>[]>();

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

  /** In turns, so that what else the machine does meets all ways alike. */
  async compare({ work, count, unit, ways, check }: Work): Promise<void> {
    const samples = ways.map((): Sample[] => []);
    const runs = ways.map((way) => Math.ceil((way.runs ?? 3) / (this.isQuick ? 3 : 1)));
    for (let turn = 0; turn < Math.max(...runs); turn++) {
      for (const [at, way] of ways.entries()) if (turn < runs[at]!) samples[at]!.push(await this.#sample(way, turn));
      if (turn === 0) await check?.();
    }
    const plain = ways.map((way, at) => rowOf(work, unit, way, samples[at]!, way.count ?? count));
    const rows = plain.map((row) => ({ ...row, ratio: plain[0]!.rate / row.rate }));
    const judged = rows.map((row, at) => ({ ...row, bars: ways[at]!.bars?.(row, rows) ?? [] }));
    this.rows.push(...judged);
    this.say(`${tableOf(judged)}\n`);
  }

  /** A command that stands in several works is run for the first of them only. */
  #sample({ run }: Way, turn: number): Promise<Sample> {
    if (typeof run === 'function') return run();
    const key = String(run);
    const known = this.#samples.get(key) ?? [];
    this.#samples.set(key, known);
    return (known[turn] ??= runOnce(run, this.scratch('output')));
  }
}

function rowOf(work: string, unit: string, way: Way, samples: readonly Sample[], count: number): Row {
  const seconds = samples.map((sample) => sample.seconds);
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  return {
    work,
    who: way.who,
    seconds,
    median,
    min: sorted[0]!,
    max: sorted.at(-1)!,
    mebibytes: Math.max(...samples.map((sample) => sample.mebibytes)),
    count,
    rate: count / median,
    unit,
    series: way.series ?? null,
    ratio: 1,
    bars: [],
    note: way.note ?? '',
  };
}

/** A command that measures itself in a warm process, and prints `{"seconds": …, "mebibytes": …}`. */
export function inside(...args: readonly string[]): () => Promise<Sample> {
  return async () => JSON.parse(await outputOf(script('inside', ...args))) as Sample;
}

/** Nothing is timed whose answer is wrong. */
export function expectSame<T extends string | number>(what: string, ours: T, theirs: T): void {
  if (ours === theirs) return;
  const shown = (answer: T) => String(answer).slice(0, 500);
  throw new Error(`${what}: the answers differ\n${shown(ours)}\n${shown(theirs)}`);
}

/** A fingerprint of what a command prints. */
export async function digestOf(command: string): Promise<string> {
  return outputOf(`{ ${command}; } | sha256sum`);
}

/** A fingerprint of the lines of a file, in whatever order they stand there. */
export async function digestOfLines(path: string): Promise<string> {
  return digestOf(`sort ${path}`);
}
