// `@dustbuster/dustbuster`: the commands, as functions for programs.
//
//     import { createCanonizer, mine, readRules, writeRules } from '@dustbuster/dustbuster';
//
//     const { file, summary } = await mine('access.log');
//     await writeFile('dustbuster-rules.json', writeRules(file));
//     const { canonize } = createCanonizer(file, { accept: 'likely' });
//
// Browsers and edge workers import `@dustbuster/dustbuster/canonizer`, which has everything but `mine`, and does not
// need Node.
import { createCanonizer as createByKernel } from './canonize/canonizer.js';
import { type CanonizerSettings, createTextCanonizer, type TextCanonizer } from './canonize/text.js';
import type { Mined } from './library/mine.js';
import type { MineInput, MineSettings } from './library/settings.js';
import { checkFile } from './rule/check-file.js';
import { advice } from './rule/check.js';
import { writeRules as linesOf } from './rule/file.js';
import { holdingBack } from './rule/held-back.js';
import { parseJson } from './rule/parse-json.js';
import type { RulesFile } from './rule/rule.js';
import { registrableDomain } from './url/public-suffix.js';
import { createSiteFinder } from './url/site-finder.js';

export { UserError } from './base/error.js';
export type { Ending } from './canonize/rounds.js';
export type { CanonizerSettings, ExplainedStep, Explanation, TextCanonizer as Canonizer } from './canonize/text.js';
export type { LogRecord } from './library/settings.js';
export type { MinedSummary } from './library/mine.js';
export type { RejectedLine } from './library/settings.js';
export type { Mined, MineInput, MineSettings };
export type * from './rule/rule.js';

/**
 * Learns likely rules from logs, as `dustbuster mine` does, and writes nothing.
 *
 *     const { file, summary } = await mine('access.log');
 *     const { file } = await mine(['logs/*.gz', 'crawl.log'], { minSiteUrls: 100, memory: '512m' });
 *     const { file } = await mine({ urls: database.urls() });
 *     const { file } = await mine({ records: [{ url: 'http://example.com/?sid=1', status: 200, size: 512 }] });
 *
 * Named files are read before other inputs; a file that is named twice is read once. Reading is asynchronous and can be
 * stopped with `signal`; then this thread computes until it is done: in a server, call it in a worker. Local rules
 * (`rules.local.json`) and earlier rules files are only used by the command.
 *
 * Rejects with {@link UserError} if nothing can be read or an option is invalid, with the reason of `signal` if that
 * comes first, and with whatever an iterable throws.
 */
export async function mine(inputs: MineInput | readonly MineInput[], settings: MineSettings = {}): Promise<Mined> {
  // Loading it takes ten times as long as everything else: 240 of 265 ms.
  const library = await import('./library/mine.js');
  return library.mine(inputs, settings);
}

/**
 * Reads rules from the text or bytes of a rules file, or from the value that `JSON.parse` made of it. Throws {@link
 * UserError} with the place of an error, and what was expected there; `name` is what messages call the file.
 *
 *     const rules = readRules(await readFile('dustbuster-rules.json'));
 */
export function readRules(rules: string | Uint8Array | object, name = 'rules'): RulesFile {
  const isText = typeof rules === 'string' || rules instanceof Uint8Array;
  const value = isText ? parseJson(rules, name, { none: advice, foreign: advice, again: advice }) : rules;
  return holdingBack(checkFile(value, name));
}

/**
 * The text of a rules file, byte for byte as the commands write it; `\udc80` … `\udcff` are escaped, so the text is
 * valid UTF-8.
 */
export function writeRules(file: RulesFile): string {
  return Array.from(linesOf(file)).join('');
}

/**
 * A canonizer by the rules of a file, which is checked as {@link readRules} does. Pins and vetoes in the file apply;
 * those of a `rules.local.json` beside it are in the file once a command has written it.
 *
 *     const canonizer = createCanonizer(rules, { accept: 'likely' });
 *     canonizer.canonize('http://www.example.com/a.html'); // http://example.com/a
 */
export function createCanonizer(rules: RulesFile, settings: CanonizerSettings = {}): TextCanonizer {
  const file = readRules(rules);
  return createTextCanonizer(file, createSiteFinder(file.options.site, registrableDomain), settings, createByKernel);
}
