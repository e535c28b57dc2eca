// How near are two pages, by sizes and sketches? As in `table/nearness`, for pages in rows of external sorts:
//
//   | least size + 1 | largest size + 1 | bytes of the URL | sketch …       each size in eight bytes; 0 if none is known
import { sameBytes } from '../../../base/bytes.js';
import { readU32, type Row, type RowWriter } from '../../../base/row.js';
import { putNumber, readNumber } from '../../sort-keys.js';
import { isAlike, parseSketch } from '../../../sketch/sketch.js';
import type { Voice } from '../../../mine/parameter-group.js';
import { OTHER, SILENT, type SizeNearness } from '../../../table/nearness.js';
import type { PageFacts } from './visits.js';

export function hasEvidence({ minSize, sketch }: PageFacts): boolean {
  return minSize >= 0 || sketch.length > 0;
}

/** Sketches decide if both have one, else sizes if both have some. */
export function levelBetween(a: PageFacts, b: PageFacts, sizes: SizeNearness): Voice {
  if (a.sketch.length > 0 && b.sketch.length > 0) return haveLikeSketches(a.sketch, b.sketch) ? 0 : OTHER;
  if (a.minSize < 0 || b.minSize < 0) return SILENT;
  return sizes.between(a.minSize, a.maxSize, b.minSize, b.maxSize, a.urlBytes - b.urlBytes);
}

function haveLikeSketches(a: Uint8Array, b: Uint8Array): boolean {
  if (sameBytes(a, b)) return true;
  const [one, other] = [a, b].map((text) => parseSketch(Buffer.from(text).toString('latin1')));
  return one !== undefined && other !== undefined && isAlike(one, other);
}

/** Larger over smaller. The largest size of a URL counts: the others may be of truncated answers. */
export function sizeRatio(a: number, b: number): number {
  return Math.max(1, a, b) / Math.max(1, Math.min(a, b));
}

export const SIZE_BYTES = 20;

export function putSizes(row: RowWriter, { minSize, maxSize, urlBytes }: PageFacts): RowWriter {
  return putNumber(putNumber(row, minSize + 1), maxSize + 1).u32(urlBytes);
}

export function putPage(row: RowWriter, page: PageFacts): RowWriter {
  return putSizes(row, page).raw(page.sketch);
}

/** The page in [start, end), copied. */
export function pageAt(row: Pick<Row, 'bytes'>, start: number, end: number): PageFacts {
  return pageOf(row, start, start + SIZE_BYTES, end);
}

/** The page whose sizes are at `start`, and its sketch in [sketchStart, sketchEnd). */
export function pageOf(
  { bytes }: Pick<Row, 'bytes'>,
  start: number,
  sketchStart: number,
  sketchEnd: number,
): PageFacts {
  const sketch = sketchStart === sketchEnd ? NO_SKETCH : bytes.slice(sketchStart, sketchEnd);
  const [minSize, maxSize] = [readNumber(bytes, start) - 1, readNumber(bytes, start + 8) - 1];
  return { minSize, maxSize, urlBytes: readU32(bytes, start + 16), sketch };
}

const NO_SKETCH = new Uint8Array(0);
