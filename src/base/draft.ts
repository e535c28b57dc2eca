// The name of a file while it is written. If the process is killed, the next run that writes into the folder removes
// the file. The name identifies the writing process (`process-mark`), so that the drafts of a running process stay.
import { lstatSync, mkdtempSync, opendirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unlessRefused } from './error.js';
import { systemName } from './file-name.js';
import { lifeOfMark, markOf } from './process-mark.js';

const DRAFT = /^\.dustbuster-([0-9a-f-]+)-\d+\.part$/;

/**
 * If nobody can tell whether the process of a draft still runs (for example after a reboot), the draft is removed once
 * it is this old.
 */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** The most names of a folder to check: a folder with a million files is not ours to tidy up. */
const MOST_NAMES = 10_000;

/** Folders that this process has tidied up. */
const tidy = new Set<string>();

export function draftName(number: number): string {
  return `.dustbuster-${markOf()}-${number}.part`;
}

/** True for the name of a draft of any process. */
export function isDraftName(name: string): boolean {
  return DRAFT.test(name);
}

/** Removes the drafts of killed runs, once per folder. A draft that cannot be removed stays. */
export function removeLeftDrafts(folder: string, now = Date.now()): void {
  const place = resolve(folder);
  if (tidy.has(place)) return;
  tidy.add(place);
  for (const name of namesIn(place)) {
    const mark = DRAFT.exec(name)?.[1];
    if (mark === undefined) continue;
    const path = join(place, name);
    unlessRefused(() => {
      const found = lstatSync(systemName(path));
      const life = lifeOfMark(mark);
      if (found.isFile() && (life === 'gone' || (life === 'unknown' && now - found.mtimeMs > MAX_AGE_MS)))
        rmSync(systemName(path));
    });
  }
}

function namesIn(folder: string): string[] {
  const names: string[] = [];
  unlessRefused(() => {
    const entries = opendirSync(systemName(folder));
    try {
      for (let entry = entries.readSync(); entry !== null && names.length < MOST_NAMES; entry = entries.readSync())
        names.push(entry.name);
    } finally {
      entries.closeSync();
    }
  });
  return names;
}

// Scratch folders hold files for other programs, and are removed at the end. One of a killed run is removed by the next
// run that makes one of the same kind in the same place.

/** Creates a folder `dustbuster-<kind>-…`. Throws system errors. */
export function makeScratchFolder(tmpdir: string, kind: string): string {
  const start = `dustbuster-${kind}-`;
  for (const name of unlessRefused(() => readdirSync(tmpdir)) ?? []) {
    if (name.startsWith(start) && isLeft(name.slice(start.length))) unlessRefused(() => removeOwn(join(tmpdir, name)));
  }
  return mkdtempSync(join(tmpdir, `${start}${markOf()}-`));
}

function isLeft(rest: string): boolean {
  const mark = /^(\d+-\d+-[0-9a-f]{8})-\w{6}$/.exec(rest)?.[1];
  return mark !== undefined && lifeOfMark(mark) === 'gone';
}

/** Removes the folder only if nobody else can change it: in a shared place, anyone may make a folder of this name. */
function removeOwn(path: string): void {
  const found = lstatSync(path);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (isOurs) rmSync(path, { recursive: true, force: true });
}
