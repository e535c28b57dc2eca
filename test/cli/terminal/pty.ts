// Runs the program on a pseudo-terminal, by script(1) of util-linux: what a user sees, byte for byte.
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { BIN } from '../process.js';

/** True if script(1) is installed. */
export const HAS_TERMINALS =
  process.platform === 'linux' && /util-linux/.test(String(spawnSync('script', ['--version']).stdout));

export interface Shown {
  readonly code: number | null;
  /** Everything that reached the terminal; its line ends are `\r\n`. */
  readonly screen: string;
}

export interface TerminalOptions {
  readonly cwd?: string;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Called whenever more is on the screen; `type` types. */
  readonly onScreen?: (screen: string, type: (keys: string) => void) => void;
}

/** Runs a shell command line, in which `dustbuster` is the program, with all three streams on one terminal. */
export function onTerminal(command: string, options: TerminalOptions = {}): Promise<Shown> {
  const { cwd = tmpdir(), columns = 100, env = {}, onScreen } = options;
  const line = `stty cols ${columns}; dustbuster() { '${process.execPath}' '${BIN}' "$@"; }; ${command}`;
  return new Promise((resolve, reject) => {
    // The colour settings of the test's own terminal do not count.
    const { NO_COLOR: _no, FORCE_COLOR: _force, CLICOLOR_FORCE: _cli, ...inherited } = process.env;
    const child = spawn('script', ['-qefc', line, '/dev/null'], {
      cwd,
      env: { ...inherited, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    });
    let screen = '';
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      screen += text;
      onScreen?.(screen, (keys) => child.stdin.write(keys));
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, screen: Buffer.from(screen, 'latin1').toString() }));
  });
}

/** The progress lines that were drawn. */
export function drawnOn(screen: string): string[] {
  // eslint-disable-next-line no-control-regex -- these are what a terminal obeys
  return [...screen.matchAll(/\u001b\[\?7l(.*?)\u001b\[K\u001b\[\?7h/g)].map(([, text]) => text!);
}

/** What is left on the screen: without lines that were overwritten, and without colours. */
export function leftOn(screen: string): string {
  // eslint-disable-next-line no-control-regex -- these are what a terminal obeys
  const plain = screen.replaceAll(/\u001b\[\?7[lh]|\u001b\[\d*m/g, '');
  return plain
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (line.includes('\u001b[K') ? line.slice(line.lastIndexOf('\u001b[K') + 3) : line))
    .join('\n');
}
