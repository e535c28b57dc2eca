// What is kept of runs, as files of one folder:
//
//   bench.json    every line, case by case, with its setting
//   bench.md      the same for people: what test/bench/README.md has between its two marks
//   growth.svg    seconds over URLs
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growthChart } from './chart.js';
import { barsOf, isMeasured, tableOf, type Line } from './report.js';
import type { Setting } from './setting.js';

export interface CaseResults {
  readonly name: string;
  /** With inputs and checks. */
  readonly seconds: number;
  readonly lines: readonly Line[];
}

export interface Results {
  readonly size: 'full' | 'quick';
  readonly date: string;
  readonly setting: Setting;
  readonly cases: readonly CaseResults[];
}

const README = new URL('../../../test/bench/README.md', import.meta.url).pathname;
const MARKS = ['<!-- last run -->\n', '<!-- end of last run -->\n'] as const;

export const linesOf = ({ cases }: Results): readonly Line[] => cases.flatMap(({ lines }) => lines);

/** The results of an earlier run of this size in this setting, to be continued; else none. */
export function readResults(folder: string, size: Results['size'], setting: Setting): Results {
  const path = join(folder, 'bench.json');
  const none: Results = { size, date: new Date().toISOString().slice(0, 10), setting, cases: [] };
  if (!existsSync(path)) return none;
  const known = JSON.parse(readFileSync(path, 'utf8')) as Results;
  const isSame = known.size === size && JSON.stringify(known.setting) === JSON.stringify(setting);
  return isSame ? { ...none, cases: known.cases } : none;
}

/** `order` has the names of all cases. */
export function withCase(results: Results, order: readonly string[], added: CaseResults): Results {
  const cases = [...results.cases.filter(({ name }) => name !== added.name), added];
  return { ...results, cases: cases.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) };
}

export function writeResults(folder: string, results: Results): void {
  writeFileSync(join(folder, 'bench.json'), `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(join(folder, 'bench.md'), markdownOf(results));
  const chart = growthChart(linesOf(results).filter(isMeasured));
  if (chart !== undefined) writeFileSync(join(folder, 'growth.svg'), chart);
}

/** Puts the results where the last ones stand, with their chart beside. */
export function writeReadme(results: Results): void {
  const text = readFileSync(README, 'utf8');
  const [start, end] = [text.indexOf(MARKS[0]), text.indexOf(MARKS[1])];
  if (start < 0 || end < start) throw new Error(`${README}: expected ${MARKS.join(' and ')}`);
  const block = `${MARKS[0]}\n${markdownOf(results)}\n`;
  writeFileSync(README, text.slice(0, start) + block + text.slice(end));
  const chart = growthChart(linesOf(results).filter(isMeasured));
  if (chart !== undefined) writeFileSync(README.replace('README.md', 'growth.svg'), chart);
}

function markdownOf({ size, date, setting, cases }: Results): string {
  const lines = cases.flatMap((one) => one.lines);
  const took = cases.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ');
  return `A ${size} run, ${date}, on ${setting.machine}; ${setting.versions}.

${fenced(tableOf(lines))}
${size === 'full' ? 'The bars of the project:' : 'The bars of the project, which are meant for full runs:'}

${fenced(barsOf(lines))}
Taken with inputs and checks: ${took}.

![Seconds over URLs of one site](growth.svg)
`;
}

const fenced = (text: string) => `\`\`\`\n${text}\`\`\`\n`;
