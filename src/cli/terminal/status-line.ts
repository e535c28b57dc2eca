// The last line of a terminal while a command runs: drawn over again and again, and gone before anything else is said there.
import { constants } from 'node:os';
import type { Messages } from '../../base/effects.js';
import { nextSignals } from './signals.js';

const ERASE = '\r\x1b[K';
/** No wrapping meanwhile: the terminal may have become narrower than anybody has told. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
/** Of a terminal that does not say. */
const COLUMNS = 80;

export class StatusLine {
  readonly #terminal: Messages;
  #isDrawn = false;
  #isHeard = false;
  #isOver = false;
  #isAtStart = true;

  constructor(terminal: Messages) {
    this.#terminal = terminal;
  }

  /** What `text` gives for the width of the terminal: one line, safe on it. */
  show(text: (columns: number) => string): void {
    if (this.#isOver || !this.#isAtStart) return;
    if (!this.#isHeard) process.once('SIGINT', this.#onInterrupt);
    this.#isHeard = this.#isDrawn = true;
    this.#terminal.write(`\r${NO_WRAP}${text(this.#terminal.columns || COLUMNS)}\x1b[K${WRAP}`);
  }

  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#terminal.write(ERASE);
  }

  /** Nothing is drawn any more. A Ctrl-C that came while the program could not hear it ends it now. */
  async end(): Promise<void> {
    this.clear();
    this.#isOver = true;
    if (!this.#isHeard) return;
    await nextSignals();
    process.removeListener('SIGINT', this.#onInterrupt);
  }

  /** To be called before anything else is written on the terminal: a line that is not whole yet stays as it is. */
  giveWay(text: string | Uint8Array): void {
    this.clear();
    if (text.length > 0) this.#isAtStart = text.at(-1) === (typeof text === 'string' ? '\n' : 0x0a);
  }

  /** Ctrl-C: erases the line for good. Unless somebody else wants to hear of it too, it then ends the process as ever. */
  readonly #onInterrupt = (): void => {
    this.clear();
    this.#isOver = true;
    if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, constants.signals.SIGINT);
  };
}
