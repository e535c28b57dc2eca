// What does tonight's avoid list take over from the collections of an earlier night?
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { byText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { AnsweredFolders, carryAvoided, type AvoidedFolder, type AvoidedNight } from '../../../mirrors/avoided.js';
import type { Cluster, Describer } from '../../../mirrors/copies.js';
import { isNight, laterNight, nightOf } from '../../../rule/night.js';
import type { MirrorsFlags } from '../../flags/mirrors.js';

interface Earlier {
  readonly night: string;
  readonly avoided: readonly AvoidedFolder[];
}

/** The file as stored. Files of older versions lack some of the fields. */
type EarlierFile = Omit<Earlier, 'avoided'> & {
  readonly avoided: readonly (Omit<AvoidedFolder, 'principalUnseen'> & { readonly principalUnseen?: number })[];
};

/** The earlier collections. Undefined without --history; empty if the file does not exist yet. */
export function readEarlier({ history, budget }: MirrorsFlags, effects: Effects): Earlier | undefined {
  if (history === undefined && budget !== undefined) {
    throw new UserError('--budget: got no copies of earlier nights, expected --history with it');
  }
  if (history === undefined) return undefined;
  const expected = `--history: ${printable(history)} has no history; expected collections by mirrors --history`;
  try {
    const { history: found } = JSON.parse(readFileSync(systemName(resolve(effects.cwd, history)), 'utf8')) as {
      history?: unknown;
    };
    if (!isEarlier(found)) throw new UserError(expected);
    return { ...found, avoided: found.avoided.map((one) => ({ principalUnseen: 0, ...one })) };
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return { night: '', avoided: [] };
    throw cause instanceof UserError ? cause : new UserError(expected, { cause });
  }
}

function isEarlier(value: unknown): value is EarlierFile {
  const { night, avoided } = (value ?? {}) as Partial<EarlierFile>;
  const isFolder = (one: Partial<AvoidedFolder> | null) =>
    [one?.folder, one?.principal].every((text) => typeof text === 'string') &&
    [one?.firstSeen, one?.lastConfirmed].every((text) => typeof text === 'string' && isNight(text)) &&
    [one?.unseen, one?.principalUnseen ?? 0].every(Number.isSafeInteger);
  return typeof night === 'string' && isNight(night) && Array.isArray(avoided) && avoided.every(isFolder);
}

/**
 * Returns the counter of principal folders that tonight's crawl has seen. The caller fills it while reading the crawl.
 */
export function awaitPrincipals(earlier: Earlier | undefined): AnsweredFolders {
  return new AnsweredFolders((earlier?.avoided ?? []).map(({ principal }) => principal));
}

export function carried(
  earlier: Earlier,
  clusters: readonly Cluster[],
  describer: Describer,
  answered: AnsweredFolders,
  { budget = 0, now }: MirrorsFlags,
  effects: Effects,
): AvoidedNight {
  const principals = new Map<string, string>();
  for (const { copies } of clusters) {
    for (const { folder, alias } of copies.slice(1)) {
      principals.set(folder, copies[0]!.folder);
      if (alias !== undefined && !principals.has(alias.from)) principals.set(alias.from, alias.to);
    }
  }
  const found = new Map<string, string>();
  for (const folder of describer.avoidable()) {
    const principal = principals.get(folder);
    if (principal !== undefined) found.set(folder, principal);
  }
  const night = laterNight(earlier.night, now ?? nightOf(effects.now()));
  const seen = (folder: string) => (describer.hasPageIn(folder) ? 'page' : answered.has(folder) ? 'answer' : undefined);
  return carryAvoided(earlier.avoided, found, seen, { night, budget });
}

/**
 * Yields tonight's folders and those of earlier nights, sorted by URL, without the folders that should be crawled
 * again.
 */
export function* avoidList(tonight: Iterable<string>, night: AvoidedNight | undefined): Generator<string> {
  const recheck = new Set(night?.recheck);
  const unseen = (night?.avoided ?? []).filter(({ folder, unseen: nights }) => nights > 0 && !recheck.has(folder));
  let next = 0;
  for (const url of tonight) {
    for (; next < unseen.length && byText(unseen[next]!.folder, url) < 0; next++) yield unseen[next]!.folder;
    yield url;
  }
  for (; next < unseen.length; next++) yield unseen[next]!.folder;
}
