// What `dustbuster mirrors --by-urls` runs: any list of URLs -> pairs of hosts that share paths, a line each.
import { agreeing, many, parseMemory } from '../../../base/amounts.js';
import { SLASH } from '../../../base/ascii.js';
import { decodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { writeFileWhole } from '../../../base/output.js';
import type { Input } from '../../../log/bytes.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport } from '../../../log/read.js';
import { HostPaths } from '../../../mirrors/by-urls.js';
import { countsReport } from '../../../report/render.js';
import { MAX_URL_BYTES } from '../../../url/token.js';
import type { MirrorsFlags } from '../../flags/mirrors.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import { progressOf, refuseNothing, refuseOverwriting } from '../input/reading.js';
import { judgeReading } from '../input/warnings.js';

/** Returns the exit code. Throws a UserError for options that need contents. */
export async function mirrorsByUrls(inputs: readonly Input[], flags: MirrorsFlags, effects: Effects): Promise<number> {
  const { linkTable, rollUp, avoid, toRules, singleSite, extended, overBreaks, nearby } = flags;
  if (
    [linkTable, rollUp, avoid, toRules, singleSite, extended, overBreaks, nearby].some((option) => option !== undefined)
  ) {
    throw new UserError('--by-urls: got it with options for collections of pages; expected -o and --min-pages alone');
  }
  refuseOverwriting(inputs, [flags.output], effects);
  const stats = { runs: 0, bytes: 0 };
  const paths = new HostPaths({ memoryBytes: parseMemory(flags.memory, '--memory') / 2, tmpdir: flags.tmpdir, stats });
  const report = createReadReport();
  const reading = { base: null, scheme: 'http', maxUrlLength: MAX_URL_BYTES, normalize: 'safe' } as const;
  const options = { ...reading, ...progressOf(inputs, effects) };
  for await (const { bytes, rows, urlStart, urlEnd } of readRecordsParallel(inputs, options, report, effects.cores)) {
    for (let row = 0; row < rows; row++) {
      // The URL is `scheme://host/path`, so the path begins at the third slash. URLs without a host are skipped.
      const authority = bytes.indexOf(SLASH, urlStart[row]) + 2;
      const path = bytes.indexOf(SLASH, authority);
      if (bytes[authority - 1] !== SLASH || path < 0 || path >= urlEnd[row]!) continue;
      paths.add(decodeText(bytes, authority, path), bytes, path, urlEnd[row]!);
    }
  }
  refuseNothing(report);
  if (paths.hosts === 0) {
    const names = inputs.map(({ name }) => printable(name)).join(', ');
    throw new UserError(`--by-urls: no URL in ${names} has a host; expected absolute URLs, as crawlers list them`);
  }
  const pairs = await computed(() => paths.finish(flags.minPages), effects);
  const lines = pairs.map(
    ({ hosts, shared, paths: own, share }) => `${[...hosts, shared, ...own, share].join('\t')}\n`,
  );
  await guardingOutput(() => writeFileWhole(flags.output, lines, effects));
  if (flags.quiet !== true) {
    const { tooCommon } = paths;
    const common =
      `${many(tooCommon, 'path')} ${agreeing(tooCommon, 'is', 'are')} on more than 100 of them and ` +
      `${agreeing(tooCommon, 'does', 'do')} not count`;
    effects.stderr.write(
      `${countsReport(report.inputs)}${many(paths.hosts, 'host')}; ${common}; ${many(pairs.length, 'pair')} ` +
        `${agreeing(pairs.length, 'shares', 'share')} ${many(flags.minPages, 'path')} or more\n` +
        'columns: host, host, paths of both, paths of the first, paths of the second, share of both in all\n',
    );
  }
  return judgeReading(report, effects, { ...flags, detectsOnly: true });
}
