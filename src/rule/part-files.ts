// What are the files of the parts of a run called? `part-07-of-16.json`: by name they are in order, and each says how
// many there are.
import { UserError } from '../base/error.js';

const NAME = /^part-(\d+)-of-(\d+)\.json$/;
const MOST_SHOWN = 5;

export function partFileName({ k, n }: { readonly k: number; readonly n: number }): string {
  return `part-${String(k).padStart(String(n).length, '0')}-of-${n}.json`;
}

export function isPartFile(name: string): boolean {
  return NAME.test(name);
}

export function isFirstPart(name: string): boolean {
  return Number(NAME.exec(name)?.[1]) === 1;
}

/**
 * The names of the files of all parts, in order, among those in a folder; undefined if there is none. Throws a UserError
 * if one is missing, as while a run replaces them: `folder` is how messages call the folder.
 */
export function wholeSet(names: readonly string[], folder: string): readonly string[] | undefined {
  const found = names.filter(isPartFile).sort();
  if (found.length === 0) return undefined;
  const counts = new Set(found.map((name) => Number(NAME.exec(name)![2])));
  const n = Math.max(...counts);
  const all = Array.from({ length: n }, (_, at) => partFileName({ k: at + 1, n }));
  const missing = all.filter((name) => !found.includes(name));
  const strange = found.filter((name) => !all.includes(name));
  if (missing.length === 0 && strange.length === 0) return all;
  const [what, which] = missing.length > 0 ? ['lacks', missing] : ['also has', strange];
  const shown = which.slice(0, MOST_SHOWN).join(', ') + (which.length > MOST_SHOWN ? ' …' : '');
  throw new UserError(
    `${folder} ${what} ${shown}: a run that wrote it was stopped, or goes on; expected all parts of one run. Mine again with --parts`,
  );
}
