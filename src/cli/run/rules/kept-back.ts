// Where does a long validation write its rules? To their file, unless an editor or `mine` has changed that in the
// meantime. Then the result goes to a file beside it, and a message says so.
//
//     rules.json             the result of the whole run, and what was settled so far if no other run's result is lost
//     rules.json.partial     what was settled so far, if rules.json has the result of another run; removed at the end
//     rules.json.validated   the result, if another program has changed rules.json
import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { writeFileWhole } from '../../../base/output.js';
import { writeRules } from '../../../rule/file.js';
import type { RulesFile } from '../../../rule/rule.js';
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

interface OutputOptions {
  /** The stamp of the file at the time when the run read it; by default it is computed now. */
  readonly stamp?: Stamp;
  /** The rules file that is validated: a part of its verdicts loses nothing that it has. */
  readonly source?: string;
}

export class RulesOutput {
  /** As the user named it. `-` is standard output, which takes one file. */
  readonly name: string;
  readonly #effects: Effects;
  readonly #keepsWhole: boolean;
  #stamp: Stamp;
  #isBeside = false;
  #hasPartial = false;
  #writing: Promise<void> | undefined;
  #next: (() => RulesFile) | undefined;

  static async open(name: string, { stamp, source }: OutputOptions, effects: Effects): Promise<RulesOutput> {
    const isSource = source !== undefined && resolve(effects.cwd, source) === resolve(effects.cwd, name);
    const keepsWhole = name !== '-' && !isSource && (await hasWholeRules(resolve(effects.cwd, name)));
    return new RulesOutput(name, stamp ?? (await stampOf(name, effects)), keepsWhole, effects);
  }

  private constructor(name: string, stamp: Stamp, keepsWhole: boolean, effects: Effects) {
    this.name = name;
    this.#stamp = stamp;
    this.#keepsWhole = keepsWhole;
    this.#effects = effects;
  }

  /** Where a part of the result is. */
  get partialName(): string {
    if (this.#keepsWhole) return `${this.name}.partial`;
    return this.#isBeside ? this.#beside : this.name;
  }

  /** True if the file of an earlier run stays until this run is complete. */
  get keepsWhole(): boolean {
    return this.#keepsWhole;
  }

  get #beside(): string {
    return `${this.name}.validated`;
  }

  /**
   * Writes what was settled so far. One file is written at a time: of the results that come meanwhile, the newest is
   * written next, and made only then.
   */
  save(result: () => RulesFile): Promise<void> {
    this.#next = result;
    return (this.#writing ??= this.#saveAll());
  }

  /** Writes the whole result, or leaves the file untouched. */
  async finish(file: RulesFile): Promise<void> {
    this.#next = undefined;
    await this.#writing;
    await this.#replace(file);
    if (!this.#hasPartial) return;
    await rm(systemName(resolve(this.#effects.cwd, this.partialName)), { force: true });
  }

  /** Throws a UserError if somebody else has changed the file. */
  refuseBeside(): void {
    if (!this.#isBeside) return;
    const [name, beside] = [printable(this.name), printable(this.#beside)];
    throw new UserError(
      `${name} was changed by another program while its rules were validated, and is not overwritten; the result is in ${beside}. ` +
        `See what differs with \`dustbuster diff ${name} ${beside}\`, or validate again`,
    );
  }

  async #saveAll(): Promise<void> {
    try {
      while (this.#next !== undefined) {
        const result = this.#next;
        this.#next = undefined;
        await this.#savePart(result());
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #savePart(file: RulesFile): Promise<void> {
    if (!this.#keepsWhole) return this.#replace(file);
    this.#hasPartial = true;
    await this.#put(this.partialName, file);
  }

  async #replace(file: RulesFile): Promise<void> {
    this.#isBeside ||= (await stampOf(this.name, this.#effects)) !== this.#stamp;
    await this.#put(this.#isBeside ? this.#beside : this.name, file);
    if (!this.#isBeside) this.#stamp = await stampOf(this.name, this.#effects);
  }

  async #put(name: string, file: RulesFile): Promise<void> {
    const isDefault = name !== this.name || isDefaultName(name);
    await writeFileWhole(name, writeRules(file), this.#effects, { isDefault });
  }
}

const READ_BYTES = 1 << 16;

/** True for a rules file of a run that came to its end. */
async function hasWholeRules(path: string): Promise<boolean> {
  const file = await open(systemName(path)).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const head = (await file.stat()).isFile() ? await headOf(file) : '';
    return head.includes('"dustbuster-rules"') && !head.includes('"partial":');
  } finally {
    await file.close();
  }
}

/**
 * What stands before the rules, which says whether the run came to its end. Our own files say so at the top; another
 * program may have sorted the fields, and the inputs can be thousands. Of a file that is no rules file, the beginning.
 */
async function headOf(file: FileHandle): Promise<string> {
  let head = '';
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES);
    const from = Math.max(0, head.length - RULES_CHARACTERS);
    head += buffer.toString('latin1', 0, bytesRead);
    const end = /"rules":\s*\[/.exec(head.slice(from));
    if (end !== null) return head.slice(0, from + end.index);
    if (bytesRead === 0 || (head.length === bytesRead && !head.startsWith('{'))) return head;
  }
}

/** A read may end inside of the name that is looked for. */
const RULES_CHARACTERS = 32;
