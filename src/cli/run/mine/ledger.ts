// What does `mine` carry over from earlier rules, and how does it find out whether they changed?
//
//   --history FILE (or the rules of --state)   verdicts and histories
//   the file at -o that is replaced            pins, vetoes and notes that people wrote into it; nothing else, so
//                                              that the same input and options give the same rules
//   rules.local.json beside it                 pins and vetoes
import { constants, copyFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { countLine, diffTable } from '../../../report/render-diff.js';
import { changesInUse, diffRules, EFFECTIVE, isAnyInUse } from '../../../rule/diff.js';
import { readRules } from '../../../rule/file.js';
import { holdingBack } from '../../../rule/held-back.js';
import { carryHistory, carryMarks, carryRules } from '../../../rule/history.js';
import type { RuleSaying } from '../../../rule/identity.js';
import { preferring } from '../../../rule/prefer.js';
import { isPartFile } from '../../../rule/part-files.js';
import type { NightRules, Rule, RulesFile } from '../../../rule/rule.js';
import { withoutNeedless } from '../../../validate/leftover.js';
import { DEFAULT_RULES_FILE } from '../../context.js';
import { unreadable } from '../../files.js';
import type { LedgerFlags } from '../../flags/history.js';
import { preferenceOf, writeOf } from '../../flags/wishes.js';
import { findLocalRules, type FoundLocal, markRules } from '../rules/local.js';
import { preferRules, preferRulesAloud } from '../rules/prefer.js';
import { nightOfRun, toVisit } from '../validate/visits.js';

/** The most changes that a message lists; cron sends it by mail. */
const MOST_LISTED = 20;

export interface Ledger {
  /** The night of the run; undefined if no history is kept. */
  readonly night: string | undefined;
  /** True if nothing is carried over, and the new rules are compared with no others. */
  readonly isIdle: boolean;
  /** Returns the mined file with all earlier verdicts and decisions. */
  carry(mined: RulesFile): RulesFile;
  /** Rules that validation may request pages for, on a site with these mined rules. */
  toDrawFor(site: string, mined: readonly RuleSaying[]): readonly RuleSaying[];
  /** Applies the decisions to rules that validation has found. Prints nothing. */
  readonly remark: (file: RulesFile) => RulesFile;
  /** The exit code for `--check` and `--fail-on-change`, with the reason on standard error. */
  judge(file: RulesFile): number;
}

/**
 * The history is the file of --history, which need not exist yet, or else the rules of the state. `rulesOfState`
 * returns the latter, or null on the first night. Throws a UserError if one of the files is damaged.
 */
export async function openLedger(
  flags: LedgerFlags,
  effects: Effects,
  rulesOfState?: () => RulesFile | null,
): Promise<Ledger> {
  const output = flags.output ?? DEFAULT_RULES_FILE;
  const local = await findLocalRules(output, flags, effects);
  const isAlone = flags.history === undefined && rulesOfState === undefined;
  const old = flags.stage === undefined ? await loadReplaced(output, isAlone, flags, effects) : null;
  const named = flags.history === undefined ? null : await loadPrevious(flags.history, flags, effects);
  const isOfState = flags.history === undefined && rulesOfState !== undefined;
  const previous = isOfState ? laterOf(rulesOfState(), old) : named;
  const night = nightOfRun(previous, flags, effects, {
    name: flags.history ?? (flags.state === undefined || previous === old ? output : join(flags.state, 'rules.json')),
    hasHistory: !isAlone || flags.budget !== undefined,
  });
  return new FileLedger({ flags, effects, local, old, previous, night, output });
}

/** The rules of the state, or the file at -o if that is as new or newer: `validate` may have changed it since. */
function laterOf(kept: RulesFile | null, replaced: RulesFile | null): RulesFile | null {
  if (replaced?.night === undefined) return kept;
  return kept === null || replaced.night >= (kept.night ?? '') ? replaced : kept;
}

interface Known {
  readonly flags: LedgerFlags;
  readonly effects: Effects;
  readonly local: FoundLocal;
  /** The file at -o that is replaced. */
  readonly old: RulesFile | null;
  readonly previous: RulesFile | null;
  readonly night: string | undefined;
  readonly output: string;
}

class FileLedger implements Ledger {
  readonly #known: Known;
  readonly #previous: RulesFile | null;
  readonly #previousBySite: ReadonlyMap<string, Rule[]>;
  readonly #oldBySite: ReadonlyMap<string, Rule[]>;

  constructor(known: Known) {
    this.#known = known;
    const { previous, old } = known;
    // People edit the file at -o: a mark that they removed there must not come back from the history, a copy of it.
    this.#previous =
      previous !== null && old !== null ? { ...previous, rules: previous.rules.map(withoutMarks) } : previous;
    this.#previousBySite = bySite(this.#previous);
    this.#oldBySite = bySite(old);
  }

  get night(): string | undefined {
    return this.#known.night;
  }

  get isIdle(): boolean {
    const { night, old, local, flags } = this.#known;
    const isCompared = flags.check === true || flags.failOnChange === true;
    return night === undefined && old === null && local.kind === 'absent' && !isCompared;
  }

  carry(mined: RulesFile): RulesFile {
    const { night, old, flags, effects } = this.#known;
    const carried = night === undefined ? mined : carryHistory(this.#previous, mined, night, flags.forget);
    const marked = this.#remark(old === null ? carried : carryMarks(old, carried), flags.quiet);
    const kept = night === undefined ? marked : withoutNeedless(marked);
    return holdingBack(preferRulesAloud(writingAs(kept, this.#previous), effects, flags.quiet === true));
  }

  toDrawFor(site: string, mined: readonly RuleSaying[]): readonly RuleSaying[] {
    const { night, flags, local, old } = this.#known;
    const prefer = preferenceOf(flags);
    if (night === undefined && old === null && local.kind !== 'file' && prefer === undefined) return mined;
    const ranked = mined.map((rule) => ({ rank: 1, ...rule }) as Rule);
    const before = this.#previousBySite.get(site) ?? [];
    const all = night === undefined ? { carried: ranked, kept: [] } : carryRules(before, ranked, night, flags.forget);
    const carried: NightRules = { rules: [...all.carried, ...all.kept], ...(night !== undefined && { night }) };
    const marked = this.#remark(carryMarks({ rules: this.#oldBySite.get(site) ?? [] }, carried), true);
    const { rules } = prefer === undefined ? marked : preferring(marked, prefer).file;
    return toVisit({ rules: rules.filter((rule) => rule.site === site) }, flags, night).file.rules;
  }

  readonly remark = (file: RulesFile): RulesFile => holdingBack(preferRules(this.#remark(file, true)));

  #remark<F extends NightRules>(file: F, isQuiet = false): F {
    const { local, effects } = this.#known;
    return markRules(file, local.kind === 'absent' ? { kind: 'refused' } : local, effects, isQuiet);
  }

  judge(file: RulesFile): number {
    const { flags, old, output, effects } = this.#known;
    if (flags.check !== true && flags.failOnChange !== true) return 0;
    const before = old ?? { rules: [] };
    const all = diffRules(before, file).filter(({ kind }) => EFFECTIVE.has(kind));
    // --fail-on-change is about what becomes of URLs, for a nightly mail. --check is about everything in the file.
    const changes = flags.check === true ? all : changesInUse(all, before, file);
    if (changes.length === 0 && old !== null) return 0;
    const what = old === null ? 'it is not there' : countLine(changes);
    const verb = flags.check === true ? 'would change' : 'has changed';
    const isLine = old === null || flags.check === true || !isAnyInUse(before, file);
    const list = isLine ? '' : diffTable(changes, { limit: MOST_LISTED });
    effects.stderr.write(`dustbuster: ${printable(output)} ${verb}: ${what}\n${list}`);
    return 1;
  }
}

function bySite(file: RulesFile | null): ReadonlyMap<string, Rule[]> {
  const sites = new Map<string, Rule[]>();
  for (const rule of file?.rules ?? []) {
    const rules = sites.get(rule.site);
    if (rules === undefined) sites.set(rule.site, [rule]);
    else rules.push(rule);
  }
  return sites;
}

/** Keeps parameters that --write has allowed on an earlier night. */
function writingAs(file: RulesFile, previous: RulesFile | null): RulesFile {
  const write = writeOf({}, [...(previous?.options.write ?? []), ...(file.options.write ?? [])]);
  return write === undefined ? file : { ...file, options: { ...file.options, write } };
}

function withoutMarks({ pin: _pin, veto: _veto, note: _note, ...rule }: Rule): Rule {
  return rule;
}

/** The rules of the night before; null on the first night. */
async function loadPrevious(path: string, { quiet }: LedgerFlags, effects: Effects): Promise<RulesFile | null> {
  try {
    return readRules(await readFile(systemName(resolve(effects.cwd, path))), printable(path));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unreadable(error, path, 'Name another with --history');
    if (quiet !== true) effects.stderr.write(`${printable(path)} does not exist yet: this is the first night\n`);
    return null;
  }
}

/** Words of a rules file that people write into it, in plain text or with JSON escapes. */
const WRITTEN = /"(?:pin|veto|note)"/;
const ESCAPED = /\\u00[67]/;
const VERDICT = '"verdict":{';
const RULE = '{"rank":';

/** What matters in a rules file that is to be replaced. Found in its text, as the file need not fit into memory. */
interface Seen {
  readonly isWritten: boolean;
  readonly isEscaped: boolean;
  readonly hasVerdicts: boolean;
  readonly hasRules: boolean;
}

const BLOCK_BYTES = 1 << 20;
/** Bytes kept from the block before, as a word may be cut by the end of a block. */
const OVERLAP = 16;

/** Undefined if the file cannot be read. */
async function lookInto(path: string): Promise<Seen | undefined> {
  const file = await open(systemName(path)).catch(() => undefined);
  if (file === undefined) return undefined;
  const seen = { isWritten: false, isEscaped: false, hasVerdicts: false, hasRules: false };
  const block = Buffer.allocUnsafe(OVERLAP + BLOCK_BYTES);
  try {
    for (let kept = 0; ;) {
      const { bytesRead } = await file.read(block, kept, BLOCK_BYTES);
      if (bytesRead === 0) return seen;
      const length = kept + bytesRead;
      const text = block.toString('latin1', 0, length);
      seen.isWritten ||= WRITTEN.test(text);
      seen.isEscaped ||= ESCAPED.test(text);
      seen.hasVerdicts ||= text.includes(VERDICT);
      seen.hasRules ||= text.includes(RULE);
      kept = Math.min(OVERLAP, length);
      block.copyWithin(0, length - kept, length);
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * Throws a UserError if there are rules at `path`, for a log without lines, such as a fresh one after a rotation: an
 * empty result must not replace them.
 */
export async function refuseErasing(path: string, effects: Effects): Promise<void> {
  const place = resolve(effects.cwd, path);
  const files = [place, ...(await partFilesIn(place)).map((name) => join(place, name))];
  const seen = path === '-' ? [] : await Promise.all(files.map(lookInto));
  if (!seen.some((one) => one?.hasRules === true)) return;
  throw new UserError(
    `found no line in the log, so ${printable(path)} stays as it is, or its rules would be lost. Name another log, or ` +
      'remove the file first',
  );
}

/**
 * Throws a UserError if files of parts in the folder `name` have what a new run would not carry over: verdicts, and marks
 * that people wrote.
 */
export async function refuseLosing(name: string, effects: Effects): Promise<void> {
  const folder = resolve(effects.cwd, name);
  for (const file of await partFilesIn(folder)) {
    const seen = await lookInto(join(folder, file));
    if (seen?.hasVerdicts !== true && seen?.isWritten !== true) continue;
    const what = seen.hasVerdicts ? 'verdicts' : 'pins, vetoes or notes';
    throw new UserError(
      `${printable(join(name, file))} has ${what}, which would be lost; expected a folder without. Name another with -o, or ` +
        'move this one away',
    );
  }
}

/** None if there is no such folder. */
async function partFilesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(systemName(folder)).catch(() => [])).filter(isPartFile);
}

/**
 * Copies a file with verdicts before it is replaced: they may have taken hours of fetching, and a warning alone would
 * not bring them back.
 */
async function keepVerdicts(path: string, { quiet }: LedgerFlags, effects: Effects): Promise<void> {
  const kept = `${path}~`;
  const place = resolve(effects.cwd, kept);
  // Removes a link that somebody may have put there, so that the copy does not follow it.
  const copying = rm(systemName(place), { force: true }).then(() =>
    copyFile(systemName(resolve(effects.cwd, path)), systemName(place), constants.COPYFILE_EXCL),
  );
  await copying.catch((error: unknown) => {
    throw new UserError(
      `cannot keep the verdicts of ${printable(path)} in ${printable(kept)} (${systemCode(error) ?? String(error)}): expected a ` +
        `folder that can be written to, or --history ${printable(path)}, which carries them over`,
      { cause: error },
    );
  });
  if (quiet === true) return;
  effects.stderr.write(
    `dustbuster: the verdicts in ${printable(path)} are not carried over; they are kept in ${printable(kept)}, and ` +
      `--history ${printable(kept)} carries them over\n`,
  );
}

/**
 * The rules file at -o; null if there is none, or if it may be overwritten. A damaged file with hand-written marks is
 * never overwritten. A file without such marks is only parsed if the new rules are compared with it.
 */
async function loadReplaced(
  path: string,
  isAlone: boolean,
  flags: LedgerFlags,
  effects: Effects,
): Promise<RulesFile | null> {
  if (path === '-') return null;
  const place = resolve(effects.cwd, path);
  const found = await stat(systemName(place)).catch(() => undefined);
  if (found?.isFile() !== true) return null;
  // An unreadable file causes an error later, when it is written.
  const seen = await lookInto(place);
  if (seen === undefined) return null;
  const { isWritten } = seen;
  const isCompared = flags.check === true || flags.failOnChange === true;
  if (isAlone && flags.check !== true && seen.hasVerdicts) await keepVerdicts(path, flags, effects);
  if (isAlone && !isCompared && !isWritten && !seen.isEscaped) return null;
  const bytes = await readFile(systemName(place)).catch(() => undefined);
  if (bytes === undefined) return null;
  try {
    return readRules(bytes, printable(path));
  } catch (error) {
    if (!(error instanceof UserError) || (!isWritten && flags.check !== true)) {
      if (error instanceof UserError) return null;
      throw error;
    }
    throw new UserError(`${error.message} Its pins, vetoes and notes would be lost: repair it, or remove it.`, {
      cause: error,
    });
  }
}
