// All faults of a file, by line. The first are kept, and all are counted.
import { UserError } from '../../base/error.js';

/** So many faults are shown. */
const SHOWN = 20;

interface Fault {
  readonly line: number;
  readonly fault: string;
}

export class Faults {
  #count = 0;
  /** The first by line. */
  readonly #first: Fault[] = [];

  add(line: number, fault: string): void {
    this.#count++;
    this.#first.push({ line, fault });
    this.#first.sort((a, b) => a.line - b.line);
    this.#first.splice(SHOWN);
  }

  /** Throws a {@link UserError} with all faults, if there are any. */
  refuse(name: string): void {
    if (this.#count === 0) return;
    const lines = this.#first.map(({ line, fault }) => `  line ${line}: ${fault}`);
    const more = this.#count > SHOWN ? [`  … and ${this.#count - SHOWN} more`] : [];
    const what = `${name}: ${this.#count === 1 ? 'a fault' : `${this.#count} faults`}, so nothing was written. Mend the lines, or comment them out:`;
    throw new UserError([what, ...lines, ...more].join('\n'));
  }
}
