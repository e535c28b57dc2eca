// Names of files that are not UTF-8: text inside, bytes for the system.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import { givenArguments, systemName } from '../../src/base/file-name.js';

const folder = mkdtempSync(join(tmpdir(), 'file-name-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a name that is not UTF-8', () => {
  it.each(['a.log', 'é.log', '日本\u{1f600}', '\ufffd'])('is not %j, which stays text', (name) => {
    expect(systemName(name)).toBe(name);
  });

  it.skipIf(process.platform !== 'linux')('goes back to the system as the bytes that came from it', () => {
    const bytes = Buffer.from('636166e92e6c6f67c3a9ff', 'hex');
    const path = join(folder, decodeText(bytes));
    writeFileSync(systemName(path), 'x');
    expect(existsSync(Buffer.concat([Buffer.from(`${folder}/`), bytes]))).toBe(true);
    expect(readFileSync(systemName(path), 'utf8')).toBe('x');
  });
});

describe.skipIf(process.platform !== 'linux')('arguments', () => {
  const dist = new URL('../../dist/src/base/', import.meta.url);
  const program = `import { givenArguments } from '${new URL('file-name.js', dist).href}';
import { encodeText } from '${new URL('bytes.js', dist).href}';
for (const arg of givenArguments(process.argv.slice(1))) console.log(Buffer.from(encodeText(arg)).toString('hex'));`;

  it.each([
    [String.raw`caf\351`, '636166e9'],
    [String.raw`--output=\377/\303\251`, '2d2d6f75747075743dff2fc3a9'],
    [String.raw`\357\277\275`, 'efbfbd'],
    [String.raw`\357\277\275\200`, 'efbfbd80'],
    ['plain', '706c61696e'],
  ])('%s are those that were given', (octal, hex) => {
    const script = `exec "$0" --input-type=module -e "$1" -- "" "$(printf -- '${octal}')" x`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, program], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(0, -1)).toEqual(['', hex, '78']);
  });

  it('of another process stay as they are', () => {
    const args = ['a\ufffd', 'b'];
    expect(givenArguments(args)).toBe(args);
    expect(givenArguments([])).toEqual([]);
  });
});
