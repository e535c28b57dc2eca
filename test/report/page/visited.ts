// Logs for the tests of the report, read as the program reads them.
import { tmpdir } from 'node:os';
import { createReadReport, readRecords } from '../../../src/log/read.js';
import { createLogReader, measureReport, type ReportOptions } from '../../../src/report/page/measure/measure.js';
import type { ReportModel } from '../../../src/report/page/model.js';
import type { RulesFile } from '../../../src/rule/rule.js';
import { memoryInput, plainOptions } from '../../log/reading.js';

export const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
export const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** A line of a log with hosts. */
export interface Hit {
  readonly url: string;
  readonly status?: number;
  readonly size?: number;
  readonly agent?: string;
  readonly time?: string;
  /** How long it took, as nginx writes it: 0.025. */
  readonly took?: string;
}

export function lineOf({ url, status = 200, size, agent = PERSON, time = 'x', took }: Hit): string {
  const [, host, target] = /^http:\/\/([^/]+)(\/.*)$/.exec(url)!;
  return `${host}:80 1.2.3.4 - - [${time}] "GET ${target} HTTP/1.1" ${status} ${size ?? '-'} "-" "${agent}"${took === undefined ? '' : ` ${took}`}\n`;
}

export function listLine(url: string, size: number | '', digest: string): string {
  return `${url},200,${size},${digest}\n`;
}

const options: ReportOptions = {
  name: 'rules.json',
  generator: 'dustbuster test',
  accept: 'likely',
  maxIterations: 10,
  top: 1000,
  linesOf: (rules) => [{ target: 'test', text: `${rules.length} rules` }],
  memoryBytes: 1 << 22,
  tmpdir: tmpdir(),
  threads: 1,
};

/** The model of a log, given as text. */
export async function reportOf(log: string, file: RulesFile, more: Partial<ReportOptions> = {}): Promise<ReportModel> {
  const chosen = { ...options, ...more };
  const report = createReadReport();
  const reader = createLogReader(file, chosen);
  const reading = { ...plainOptions, normalize: file.normalization, visitors: true, clients: true, answers: true };
  for await (const batch of readRecords([memoryInput(Buffer.from(log))], reading, report)) reader.add(batch);
  return measureReport(file, { ...reader.finish(), inputs: report.inputs }, chosen);
}
