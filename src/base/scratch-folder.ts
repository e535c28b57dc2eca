// Folders for files that another program reads. They are removed at the end; one of a killed run is removed by the next
// run that makes one of the same kind in the same place. Its name says which process made it (`process-mark`).
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unlessRefused } from './error.js';
import { lifeOfMark, markOf } from './process-mark.js';

/** Creates a folder `dustbuster-<kind>-…` of its own. Throws system errors. */
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

/** Anyone may make a folder of this name in a shared place: one that others may change is left alone. */
function removeOwn(path: string): void {
  const found = lstatSync(path);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (isOurs) rmSync(path, { recursive: true, force: true });
}
