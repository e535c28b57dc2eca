// The last line of a terminal while a command runs: redrawn again and again, and erased before anything else is
// printed.
import { constants } from 'node:os';
import type { Messages } from '../../base/effects.js';
import { nextSignals } from './signals.js';

const ERASE = '\r\x1b[K';
/** No wrapping meanwhile: the terminal may have become narrower without our knowing. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
/** For a terminal that does not report its width. */
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

  /** `text` gets the width of the terminal and returns one line, safe to print. */
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

  /** Nothing is drawn after this. A Ctrl-C that came while the program could not hear it ends it now. */
  async end(): Promise<void> {
    this.clear();
    this.#isOver = true;
    if (!this.#isHeard) return;
    await nextSignals();
    process.removeListener('SIGINT', this.#onInterrupt);
  }

  /** Call this before anything else is written to the terminal: a line that is not complete yet stays as it is. */
  giveWay(text: string | Uint8Array): void {
    this.clear();
    if (text.length > 0) this.#isAtStart = text.at(-1) === (typeof text === 'string' ? '\n' : 0x0a);
  }

  /** Ctrl-C: erases the line for good. Unless another handler is installed too, it then ends the process as usual. */
  readonly #onInterrupt = (): void => {
    this.clear();
    this.#isOver = true;
    if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, constants.signals.SIGINT);
  };
}
