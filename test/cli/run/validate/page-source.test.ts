// Who may read what is kept between runs?
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realEffects } from '../../../../src/base/effects.js';
import { openLive } from '../../../../src/cli/run/validate/page-source.js';
import { scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeEach(() => void (folder = scratchFolder()));
afterEach(() => folder.remove());

const at = (...names: string[]) => join(folder.path, ...names);
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A folder of an older version. */
function makeOpen(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'fetched.jsonl'), '{"v":1}\n');
  chmodSync(path, 0o755);
  chmodSync(join(path, 'fetched.jsonl'), 0o644);
}

async function run(fetchCache?: string): Promise<void> {
  const effects = { ...realEffects(), cwd: folder.path, env: { XDG_CACHE_HOME: folder.path } };
  const flags = { rate: 1, maxFetches: 0, maxAge: 60, ...(fetchCache !== undefined && { fetchCache }) };
  await openLive(flags, () => true, new AbortController().signal, effects).close();
}

describe.skipIf(process.platform === 'win32')('the folder of the cache', () => {
  it('is closed to others if it is the default one', async () => {
    makeOpen(at('dustbuster'));
    await run();
    expect([at('dustbuster'), at('dustbuster/fetched.jsonl')].map(modeOf)).toEqual([0o700, 0o600]);
  });

  it('is left as it is if the user named it, or it is a link', async () => {
    makeOpen(at('mine'));
    symlinkSync(at('mine'), at('dustbuster'));
    await run('mine');
    expect([at('mine'), at('mine/fetched.jsonl')].map(modeOf)).toEqual([0o755, 0o600]);
    await run();
    expect(modeOf(at('mine'))).toBe(0o755);
  });

  it('is made for its owner only', async () => {
    await run('new/folder');
    await run();
    expect([at('new'), at('new/folder'), at('dustbuster')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  });

  it('with a link in place of the file is refused', async () => {
    mkdirSync(at('dustbuster'));
    symlinkSync(at('elsewhere'), at('dustbuster/fetched.jsonl'));
    await expect(run()).rejects.toThrow('is a symbolic link; expected a plain file');
    expect(existsSync(at('elsewhere'))).toBe(false);
  });
});
