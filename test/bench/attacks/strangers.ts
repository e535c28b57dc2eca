// What does a run over a log of many strangers ask a site for: actions, visitors' sessions, other ports?
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAction, startStrangers } from '../../strangers.js';

/** Throws if the run asked for what it should not, or proved nothing; else says how much it asked for. */
export async function askAsStranger(bin: string, folder: string, visitors: number): Promise<object> {
  const site = await startStrangers(visitors);
  try {
    const at = (name: string) => join(folder, name);
    writeFileSync(at('strangers.log'), site.lines.join('\n'));
    const flags = [
      '--base',
      site.base,
      '--fetch',
      '--allow-private',
      '--rate',
      '1000',
      '--fetch-cache',
      at('pages'),
      '-q',
    ];
    const child = spawn(process.execPath, [bin, 'mine', at('strangers.log'), ...flags, '-o', at('strangers.json')]);
    const code = await new Promise((resolve) => child.on('close', resolve));
    const sent = site.asked.filter((target) =>
      [...target.matchAll(/\w{20,}/g)].some(([word]) => site.sessions.has(word)),
    );
    const written = [at('strangers.json'), at('pages/fetched.jsonl')]
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
    const kept = [...site.sessions].filter((session) => written.includes(session));
    const counts = { actions: site.asked.filter(isAction).length, sent: sent.length, kept: kept.length };
    const isHarmless = counts.actions + counts.sent + counts.kept + site.elsewhere.length === 0;
    if (code !== 0 || site.asked.length < 100 || !isHarmless)
      throw new Error(
        `exit ${String(code)}, ${site.asked.length} requests: ${JSON.stringify(counts)}, ${site.elsewhere.length} elsewhere`,
      );
    return { strangers: visitors, requests: site.asked.length, ...counts, elsewhere: 0 };
  } finally {
    site.close();
  }
}
