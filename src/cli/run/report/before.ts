// `report --before`: reads earlier reports, and decides the exit code by what their fixes did.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { roundedDown } from '../../../report/before/outcome.js';
import { type BeforeReport, readBefore } from '../../../report/before/read.js';
import type { ReportModel } from '../../../report/page/model.js';
import { readAtMost } from '../../files.js';
import type { ReportFlags } from '../../flags/report.js';

type BeforeFlags = Pick<ReportFlags, 'before' | 'failBelow'>;

/** A report of this program has some MB. */
const SIZE = {
  most: 2 ** 28,
  remedy: 'Write one with `dustbuster report --json`, or name another file',
  excess: 'is larger than any report; expected what `dustbuster report --json` wrote of a log',
};

/** Undefined without --before. Throws a UserError for a file that is no report of a log. */
export async function readBefores(
  { before: names = [], failBelow }: BeforeFlags,
  hasLog: boolean,
  effects: Effects,
): Promise<readonly BeforeReport[] | undefined> {
  if (names.length === 0 && failBelow !== undefined)
    throw new UserError('got --fail-below and no earlier report; expected one, with --before FILE');
  if (names.length === 0) return undefined;
  if (!hasLog)
    throw new UserError('got --before and no log; expected the log of now: dustbuster report --before OLD.json LOG');
  return Promise.all(names.map(async (name) => readBefore(await readAtMost(name, SIZE, effects), printable(name))));
}

/** 1 if the fixes did less than --fail-below asks for, which is said; else 0. */
export function judgeBefore({ before }: ReportModel, { failBelow }: BeforeFlags, effects: Effects): number {
  if (failBelow === undefined || before?.did === undefined || before.did >= failBelow) return 0;
  const left = before.fixes.filter(({ leftShare }) => leftShare > 0).length;
  effects.stderr.write(
    `dustbuster: the fixes did ${percent(before.did)} of what they promised, less than ${percent(failBelow)} (--fail-below); ` +
      `${left} of ${before.fixes.length} leave requests\n`,
  );
  return 1;
}

function percent(part: number): string {
  return `${Number((100 * roundedDown(part)).toFixed(1))} %`;
}
