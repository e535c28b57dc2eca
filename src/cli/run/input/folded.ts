// Which URLs of a list have the same sketch or digest? Folds records by label, for `dups` and `mine`.
import { agreeing, many } from '../../../base/amounts.js';
import type { Effects } from '../../../base/effects.js';
import type { SpillRoom } from '../../../base/spill.js';
import type { Input } from '../../../log/bytes.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import { Folding } from '../../../near/folding.js';
import type { SignatureKind } from '../../../sketch/spots.js';
import { MAX_URL_BYTES } from '../../../url/token.js';
import type { FormatFlags } from '../../flags/format.js';
import { formatOptions, progressOf, refuseNothing } from './reading.js';

interface FoldedRecords {
  /** Has all records, but is not finished. */
  readonly folding: Folding;
  readonly report: ReadReport;
  /** Records without a sketch or digest. */
  readonly unlabelled: number;
}

/**
 * `signature` is the only kind that labels may have; undefined for any kind. Throws a UserError if nothing can be read.
 */
export async function foldRecords(
  inputs: readonly Input[],
  flags: FormatFlags & { readonly signature?: SignatureKind; readonly threads: number },
  room: SpillRoom,
  effects: Effects,
): Promise<FoldedRecords> {
  const report = createReadReport();
  const folding = new Folding(room, flags.signature);
  let unlabelled = 0;
  // URLs are compared as listed, without normalization.
  const reading = { base: null, scheme: 'http', maxUrlLength: MAX_URL_BYTES, normalize: 'none' } as const;
  const chosen = { ...reading, ...formatOptions(flags), ...progressOf(inputs, effects) };
  for await (const batch of readRecordsParallel(inputs, chosen, report, flags.threads)) {
    const { bytes, rows, urlStart, urlEnd, sketchStart, sketchEnd } = batch;
    for (let row = 0; row < rows; row++) {
      if (sketchEnd[row] === sketchStart[row]) unlabelled++;
      else folding.add(bytes, urlStart[row]!, urlEnd[row]!, sketchStart[row]!, sketchEnd[row]!);
    }
  }
  refuseNothing(report);
  return { folding, report, unlabelled };
}

/** How damaged signatures count. */
type Counted = 'as digests' | 'as none';

/** The message that counts labels which begin like a signature but cannot be parsed; '' if all can. */
export function damagedLine(malformed: number, counted: Counted): string {
  if (malformed === 0) return '';
  const [begin, are] = [agreeing(malformed, 'begins', 'begin'), agreeing(malformed, 'is', 'are')];
  const as = { 'as digests': agreeing(malformed, 'as a digest', 'as digests'), 'as none': 'as none' }[counted];
  return (
    `${many(malformed, 'label')} ${begin} like a signature (db1-, sp1-) but ${are} damaged, and ` +
    `${agreeing(malformed, 'counts', 'count')} ${as}\n`
  );
}
