// What `dustbuster mine` does, from its flags to the start of reading. The mining code is loaded while threads start to
// read.
import { parseMemory } from '../../../base/amounts.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { keepNewObjectsFew } from '../../../base/garbage.js';
import { findInputs } from '../../../log/inputs.js';
import { DEFAULT_RULES_FILE, refuseOddDefault } from '../../context.js';
import { checkHistoryFlags } from '../../flags/history.js';
import { isValidating, type MineFlags } from '../../flags/mine.js';
import { flagOf } from '../../flags/parse.js';
import { preferenceOf } from '../../flags/wishes.js';
import { filterOptions } from '../input/filters.js';
import type { Readership } from '../input/readership.js';
import { refuseOverwriting } from '../input/reading.js';
import { refuseMixed } from '../summary.js';
import { beginReading, mineOptions, outputOf, readOptions } from './read.js';
import type { Nightly, openNightly } from './state.js';

/** Below this --memory, new objects would take most of the memory of the run. */
const LITTLE_MEMORY = 128 << 20;

/** Returns the exit code. Throws a UserError if there is nothing to read or nowhere to write. */
export async function mine(names: readonly string[], flags: MineFlags, effects: Effects): Promise<number> {
  if (flags.engine === 'spark') {
    const { mineOnSpark } = await import('./spark.js');
    return mineOnSpark(names, flags, effects);
  }
  const { filters } = filterOptions(flags, effects);
  const options = mineOptions(flags, filters);
  await refuseContradictions(flags);
  const memoryBytes = parseMemory(flags.memory, '--memory');
  const nightly = await openState(names, flags, options, effects);
  const growAgain = memoryBytes < LITTLE_MEMORY ? keepNewObjectsFew() : undefined;
  try {
    const inputs = await inputsOf(names, flags, effects, nightly);
    const readership = await readershipOf(flags);
    const watching = readership === undefined ? {} : { visitors: true, clients: true };
    const reading = { ...readOptions(flags, options), ...(filters !== undefined && { filters }), ...watching };
    // A state decides which part of the inputs is read, so reading cannot begin yet.
    const begun = nightly === undefined ? beginReading(inputs, flags, reading, effects) : undefined;
    try {
      const { mineInputs } = await import('./work.js');
      return await mineInputs({ inputs, reading, begun, nightly, readership, options, memoryBytes }, flags, effects);
    } finally {
      begun?.close();
    }
  } finally {
    growAgain?.();
    nightly?.close();
  }
}

/** Loads the code that learns who reads the site, only for runs that request pages. */
async function readershipOf(flags: MineFlags): Promise<Readership | undefined> {
  if (!isValidating(flags)) return undefined;
  const { readershipFor } = await import('../input/readership.js');
  return readershipFor(flags);
}

async function openState(...[names, flags, ...rest]: Parameters<typeof openNightly>): Promise<Nightly | undefined> {
  if (flags.state === undefined && flags.keep === undefined) return undefined;
  const { openNightly: open } = await import('./state.js');
  return open(names, flags, ...rest);
}

async function inputsOf(names: readonly string[], flags: MineFlags, effects: Effects, nightly: Nightly | undefined) {
  // With --state, standard input is read only if it is named: a state can be mined without new logs, and cron leaves
  // standard input open and empty.
  const isPiped = names.length === 0 && nightly === undefined;
  if (isPiped && effects.stdin.isTTY === true) throw new UserError(NO_INPUT);
  const inputs = await findInputs(isPiped ? ['-'] : names, effects);
  const asked = isValidating(flags) ? [...(flags.test ?? []), ...(flags.pages ?? [])] : [];
  refuseOddDefault(outputOf(flags), effects);
  const outputs = [flags.output ?? DEFAULT_RULES_FILE, flags.rejects];
  refuseOverwriting([...inputs, ...(await findInputs(asked, effects))], outputs, effects);
  return inputs;
}

const NO_INPUT = `mine: got no log, expected one named or on standard input:
  dustbuster mine access.log
  zcat access.log.*.gz | dustbuster mine
see dustbuster help mine`;

/**
 * Throws a UserError for flags that contradict each other, instead of ignoring one or noticing it after hours of work.
 */
async function refuseContradictions(flags: MineFlags): Promise<void> {
  const { stage, test } = flags;
  if (flags.fromClusters !== undefined && (stage !== undefined || isValidating(flags) || flags.state !== undefined)) {
    throw new UserError(
      '--from-clusters: got it with --stage, --state, --fetch, --pages or a similar option; expected it without. Mine ' +
        'first, then let dustbuster validate ask about the keys, and about what clusters do not show',
    );
  }
  const { partOfSites, history, check } = flags;
  if (partOfSites !== undefined && (isValidating(flags) || flags.state !== undefined || history !== undefined)) {
    throw new UserError(
      '--part-of-sites: got it with --state, --history, --fetch or a similar option; expected it without: merge all ' +
        'parts (merge-rules), then validate',
    );
  }
  const { partOfContents, fromClusters, state } = flags;
  if (partOfContents !== undefined && (partOfSites ?? fromClusters ?? state) !== undefined) {
    throw new UserError(
      '--part-of-contents: got it with --part-of-sites, --from-clusters or --state; expected it without: clusters are split ' +
        'by their labels, before they are named here',
    );
  }
  if (partOfSites !== undefined && (flags.fromClusters !== undefined || check === true)) {
    throw new UserError('--part-of-sites: got it with --from-clusters or --check; expected it without');
  }
  if (flags.parts !== undefined) refuseForParts(flags);
  if (stage !== undefined && isValidating(flags)) {
    throw new UserError(
      `--stage ${stage} prints pairs, which are not validated: leave it out, or --fetch and similar options`,
    );
  }
  if (test !== undefined && !isValidating(flags)) {
    throw new UserError('--test: got a list to draw samples from, expected --fetch, --pages or --by-sketch with it');
  }
  if (isValidating(flags) || flags.resolve !== undefined) {
    const { checkSourceFlags } = await import('../validate/page-source.js');
    checkSourceFlags(flags);
  }
  checkHistoryFlags(flags, isValidating(flags));
  if (flags.rejects === '-' && (outputOf(flags) === '-' || flags.json === true)) {
    throw new UserError(
      '--rejects: got standard output for it and for another result; expected a file for one of them',
    );
  }
  if (flags.check !== true) refuseMixed(flags, outputOf(flags), stage === undefined ? 'the rules' : 'the pairs');
}

/** Throws a UserError for what needs all rules in one file. */
function refuseForParts(flags: MineFlags): void {
  const { output, stage, state, history, fromClusters, partOfSites, partOfContents, check, failOnChange } = flags;
  const whole = { stage, state, history, fromClusters, partOfSites, partOfContents, check, failOnChange };
  const [other] = Object.entries(whole).find(([, value]) => value !== undefined) ?? [];
  const got = other !== undefined ? flagOf(other) : isValidating(flags) ? '--fetch or a similar option' : undefined;
  if (got !== undefined)
    throw new UserError(`--parts: got ${got} with it; expected it without: mine first, then validate each file`);
  if (preferenceOf(flags) !== undefined)
    throw new UserError(
      '--parts: got a preferred host or scheme with it; expected it without, as it is that of one site',
    );
  if (output === undefined || output === '-')
    throw new UserError('--parts: got no folder for the files; expected -o FOLDER');
}
