// What does one run make of a site? `mine` and `canonize` of the checkout that is measured, as processes of their own.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MeasuredSite } from './measured-site.js';
import type { AnyRulesFile, CanonizerOf } from './rules-judged.js';

/** Where pages come from while rules are validated. */
export type Way = 'fetch' | 'pages' | 'none';

export interface Mined {
  readonly file: AnyRulesFile;
  readonly path: string;
  readonly seconds: number;
  /** Null if nothing was asked of the network. */
  readonly requests: number | null;
}

export interface Canonized {
  readonly forms: ReadonlyMap<string, string>;
  readonly unsettled: number;
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Long enough for 10,000 requests to a slow site. */
const MOST_MS = 40 * 60_000;

export class Checkout {
  readonly #bin: string;
  readonly #folder: string;
  readonly canonizerOf: CanonizerOf;

  private constructor(bin: string, folder: string, canonizerOf: CanonizerOf) {
    this.#bin = bin;
    this.#folder = folder;
    this.canonizerOf = canonizerOf;
  }

  /** `root` has bin/ and dist/; what runs write goes to `folder`. */
  static async at(root: string, folder: string): Promise<Checkout> {
    const library = (await import(join(root, 'dist/src/index.js'))) as {
      createCanonizer(file: AnyRulesFile, settings: { readonly accept: 'likely' }): { canonize(url: string): string };
    };
    return new Checkout(join(root, 'bin/dustbuster.js'), folder, (file) => {
      const canonizer = library.createCanonizer(file, { accept: 'likely' });
      return (url) => canonizer.canonize(url);
    });
  }

  async mine(
    site: MeasuredSite,
    how: { readonly way: Way; readonly seed: number; readonly budget: number | null },
  ): Promise<Mined> {
    const path = join(this.#folder, `${site.name}-${how.way}-${how.budget ?? 'default'}-${how.seed}.json`);
    const flags = [
      'mine',
      site.log,
      '--site',
      'all',
      '--no-config',
      '--no-local',
      '--seed',
      String(how.seed),
      '-o',
      path,
      '--json',
    ];
    if (site.base !== null) flags.push('--base', site.base);
    if (how.way === 'fetch') flags.push('--fetch', '--allow-private', '--rate', '100', '--fetch-cache', 'none');
    if (how.way === 'pages') flags.push('--pages', site.pages!);
    if (how.budget !== null) flags.push('--max-fetches', String(how.budget));
    const start = performance.now();
    const { code, stdout, stderr } = await this.#run(flags);
    const seconds = (performance.now() - start) / 1000;
    // 3: finished, but some input was damaged; logs of real servers have lines that are no requests.
    if (code !== 0 && code !== 3) throw new Error(`mine ended with ${code}: ${stderr.slice(-2_000)}`);
    const { validation } = JSON.parse(stdout) as { readonly validation?: { readonly requests?: number } };
    return {
      file: JSON.parse(readFileSync(path, 'utf8')) as AnyRulesFile,
      path,
      seconds,
      requests: how.way === 'fetch' ? (validation?.requests ?? null) : null,
    };
  }

  /** Null if the checkout does not know what is to be accepted. */
  async canonize(
    site: MeasuredSite,
    rules: string,
    accept: 'valid' | 'likely' | 'confident',
  ): Promise<Canonized | null> {
    const [urls, pairs] = ['urls', 'pairs'].map((name) => join(this.#folder, `${site.name}.${name}`)) as [
      string,
      string,
    ];
    writeFileSync(urls, Array.from(site.truth.keys(), (url) => `${url}\n`).join(''));
    const flags = [
      'canonize',
      '-r',
      rules,
      '--no-config',
      '--no-local',
      '--accept',
      accept,
      '--pairs',
      '-i',
      urls,
      '-o',
      pairs,
      '--json',
    ];
    const { code, stdout, stderr } = await this.#run(flags);
    if (code === 2 && stderr.includes('--accept: got')) return null;
    if (code === 2 && /: no \w+ rule in/.test(stderr)) return { forms: new Map(), unsettled: 0 };
    if (code !== 0) throw new Error(`canonize ended with ${code}: ${stderr.slice(-2_000)}`);
    const lines = readFileSync(pairs, 'utf8').split('\n');
    const forms = lines.flatMap((line): [string, string][] => {
      const tab = line.indexOf('\t');
      return tab < 0 ? [] : [[line.slice(0, tab), line.slice(tab + 1)]];
    });
    return { forms: new Map(forms), unsettled: (JSON.parse(stdout) as { readonly unsettled: number }).unsettled };
  }

  #run(args: readonly string[]): Promise<Outcome> {
    return new Promise((done, failed) => {
      const child = spawn(process.execPath, [this.#bin, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: MOST_MS,
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.on('error', failed);
      child.on('close', (code) => {
        done({ code, stdout, stderr });
      });
    });
  }
}
