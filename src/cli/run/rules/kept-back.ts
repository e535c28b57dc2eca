// Where does a long validation write its rules? To their file, unless an editor or `mine` has changed that in the
// meantime. Then the result goes to a file beside it, and a message says so.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { writeFileWhole } from '../../../base/output.js';
import { isDefaultName } from '../../context.js';

/**
 * A hash of the file's contents; `none` if it does not exist, undefined if it is not a regular file, such as a pipe.
 */
export type Stamp = string | undefined;

/** `-`, standard output, has no stamp. */
export async function stampOf(name: string, { cwd }: Pick<Effects, 'cwd'>): Promise<Stamp> {
  if (name === '-') return undefined;
  const path = resolve(cwd, name);
  try {
    if (!(await stat(systemName(path))).isFile()) return undefined;
    return createHash('sha256')
      .update(await readFile(systemName(path)))
      .digest('hex');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return 'none';
  }
}

export class RulesOutput {
  readonly #name: string;
  readonly #effects: Effects;
  #stamp: Stamp;
  #isBeside = false;

  /** `stamp` is the stamp of the file at the time when the run read it. */
  constructor(name: string, stamp: Stamp, effects: Effects) {
    this.#name = name;
    this.#stamp = stamp;
    this.#effects = effects;
  }

  get #beside(): string {
    return `${this.#name}.validated`;
  }

  /** Writes the whole file, or leaves it untouched. */
  async write(chunks: Parameters<typeof writeFileWhole>[1]): Promise<void> {
    this.#isBeside ||= (await stampOf(this.#name, this.#effects)) !== this.#stamp;
    const name = this.#isBeside ? this.#beside : this.#name;
    const isDefault = this.#isBeside || isDefaultName(name);
    await writeFileWhole(name, chunks, this.#effects, { isDefault });
    if (!this.#isBeside) this.#stamp = await stampOf(name, this.#effects);
  }

  /** Throws a UserError if somebody else has changed the file. */
  refuseBeside(): void {
    if (!this.#isBeside) return;
    const [name, beside] = [printable(this.#name), printable(this.#beside)];
    throw new UserError(
      `${name} was changed by another program while its rules were validated, and is not overwritten; the result is in ${beside}. ` +
        `See what differs with \`dustbuster diff ${name} ${beside}\`, or validate again`,
    );
  }
}
