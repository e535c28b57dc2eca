// Counts and sizes, as people write and read them.
import { UserError } from './error.js';

// Sizes: 512m, 1g, 65536.

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes of `64k`, `512m`, `1.5g`, `512MiB`, `4096`; powers of 1,024, in upper or lower case. */
export function parseSize(text: string, option: string): number {
  const bytes = sizeOf(text);
  if (bytes === undefined) throw new UserError(`${option}: got "${text}", expected a size such as 512m or 2g`);
  return bytes;
}

/** A bare number below this is refused: 64 is most likely an unfinished 64m. */
const LEAST_BARE = 2 ** 20;
const LEAST = 2 ** 10;

/** Parses a cap on memory. Refuses one so small that a run would never end. */
export function parseMemory(text: string, option: string): number {
  const bytes = parseSize(text, option);
  const isBare = /^\d+$/.test(text.trim());
  if (bytes >= (isBare ? LEAST_BARE : LEAST)) return bytes;
  const advice = isBare ? `write ${text.trim()}m for ${text.trim()} MiB` : 'expected more, such as 64m';
  throw new UserError(`${option}: got "${text}", which is ${many(bytes, 'byte')}; ${advice}`);
}

/** Bytes of a size; undefined if it is none. */
export function sizeOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim());
  const bytes = match === null ? NaN : Number(match[1]) * UNITS[match[2]!.toLowerCase()]!;
  return Number.isSafeInteger(Math.round(bytes)) && bytes >= 1 ? Math.round(bytes) : undefined;
}

/** Bytes for people: 3.2 MiB. */
export function formatSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

// Counts: `1 line`, `2 lines`.

/** A count with its noun. The default plural adds an s. */
export function many(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The word that agrees with a count: `1 line is`, `2 lines are`. */
export function agreeing(count: number, one: string, more: string): string {
  return count === 1 ? one : more;
}
