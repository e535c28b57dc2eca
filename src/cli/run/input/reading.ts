// How are inputs read, and what is reported afterwards? For every command that reads logs or URL lists.
import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import type { Input } from '../../../log/bytes.js';
import type { FormatOptions } from '../../../log/format/choose.js';
import { formatOfNickname } from '../../../log/format/custom/text.js';
import { formatNamed } from '../../../log/format/format.js';
import type { ReadOptions } from '../../../log/read.js';
import type { InputSummary } from '../../../log/record.js';
import type { PartOfContents } from '../../../mine/part-of-contents.js';
import { type Part, textOfPart } from '../../../mine/part-text.js';
import type { MineOptions, Normalization, RulesFile } from '../../../rule/rule.js';
import { isInput } from '../../files.js';
import type { FormatFlags } from '../../flags/format.js';

/** The flags about the format, as reading options. */
export function formatOptions(flags: FormatFlags): FormatOptions {
  const known = flags.logFormat === undefined ? null : formatOfNickname(flags.logFormat);
  if (known !== null && flags.format === undefined) return formatOptions({ ...withoutString(flags), format: known });
  return {
    ...(flags.format !== undefined && { format: formatNamed(flags.format) }),
    ...(flags.logFormat !== undefined && { logFormat: flags.logFormat }),
    ...(flags.columns !== undefined && { columns: parseColumns(flags.columns) }),
  };
}

function withoutString({ columns }: FormatFlags): FormatFlags {
  return columns === undefined ? {} : { columns };
}

/** Parses `url=u,size=bytes`. A digest is a sketch. */
export function parseColumns(text: string): Record<string, string> {
  const columns: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [column, name, ...rest] = part.split('=');
    if (!column || !name || rest.length > 0) {
      throw new UserError(`--columns: got "${part}", expected column=name as in url=u,size=bytes`);
    }
    columns[column.trim() === 'digest' ? 'sketch' : column.trim()] = name.trim();
  }
  return columns;
}

/** Begins the progress phase of reading. Returns the callback that reports progress. */
export function progressOf(
  inputs: readonly Input[],
  { progress, stdin }: Pick<Effects, 'progress'> & { readonly stdin?: Effects['stdin'] },
  name = 'reading',
): Pick<ReadOptions, 'onProgress'> {
  // An input that the user types needs no progress.
  const isTyped = stdin?.isTTY === true && inputs.some((input) => input.name === '-');
  if (progress === undefined || inputs.length === 0 || isTyped) return {};
  const sizes = inputs.map(sizeOf);
  const isKnown = sizes.every((size) => size > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  progress.begin({ name, unit: 'lines', ...(isKnown && { total }) });
  return { onProgress: (lines, bytes) => progress.add(lines, bytes) };
}

/** Bytes of a file, or of its requested range; 0 for a pipe. */
function sizeOf({ path, range }: Input): number {
  if (path === undefined) return 0;
  const found = statSync(systemName(path), { throwIfNoEntry: false });
  if (found?.isFile() !== true) return 0;
  return range === undefined ? found.size : Math.min(found.size, range.end - range.start);
}

/** Throws a UserError if the output would overwrite a log. */
export function refuseOverwriting(
  inputs: readonly Input[],
  outputs: readonly (string | undefined)[],
  effects: Effects,
): void {
  for (const output of outputs) {
    if (output === undefined || output === '-') continue;
    const path = resolve(effects.cwd, output);
    if (!inputs.some((input) => isInput(input.path ?? input.name, path, effects))) continue;
    throw new UserError(`${printable(output)} is an input; expected another file for the result, or it would be lost`);
  }
}

/**
 * Throws a UserError for an output inside the folder of a state or a mirror: it would overwrite a part of that, or pass
 * for one.
 */
export function refuseInside(
  folder: string,
  outputs: readonly (string | undefined)[],
  { cwd }: Effects,
  what = 'the folder of the state',
): void {
  for (const output of outputs) {
    if (output === undefined || output === '-') continue;
    const inside = relative(resolve(cwd, folder), resolve(cwd, output));
    if (inside.startsWith('..') || isAbsolute(inside)) continue;
    throw new UserError(`${printable(output)} is in ${what}; expected another place for the result`);
  }
}

/** Throws a UserError if nothing could be read, as there is nothing to make a result from. */
export function refuseNothing({ inputs }: { readonly inputs: readonly InputSummary[] }): void {
  if (!inputs.every((input) => input.truncated && input.lines === 0)) return;
  const reasons = inputs.map(({ name, reason }) => `${printable(name)}: ${reason ?? 'not readable'}`);
  throw new UserError(`nothing could be read; expected at least one readable log. ${reasons.join('; ')}`);
}

/** Reports how much of a list --part-of-contents selects, in whole lines; empty if the whole list is used. */
export function partReport(part: Part | undefined, counts: PartOfContents | undefined): string {
  if (part === undefined || counts === undefined) return '';
  const { kept, records, labelled } = counts;
  const byUrl = labelled > 0 || records === 0 ? '' : BY_URL;
  return `part ${textOfPart(part)} of the contents: ${kept} of ${records}\n${byUrl}`;
}

const BY_URL =
  'no record has a digest or sketch, so the list was split by URL, which takes most duplicates apart: ' +
  'split it by time, with --until and --since\n';

/** How URLs of a list are composed for the rules of a file. */
export interface Composing extends Pick<MineOptions, 'base' | 'scheme' | 'maxUrlLength'> {
  readonly normalize: Normalization;
}

export function composingOf({ options, normalization }: RulesFile): Composing {
  const { base, scheme, maxUrlLength } = options;
  return { base, scheme, maxUrlLength, normalize: normalization };
}
