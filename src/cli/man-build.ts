// Writes the man pages of the package, as a step of the build: `node dist/src/cli/man-build.js FOLDER`.
// SOURCE_DATE_EPOCH, if set, is their date.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realEffects } from '../base/effects.js';
import { manPages } from './help/man.js';
import { wholeProgram } from './program.js';

const [folder = 'dist/man'] = process.argv.slice(2);
const epoch = process.env['SOURCE_DATE_EPOCH'];
const date = epoch === undefined ? undefined : new Date(Number(epoch) * 1000).toISOString().slice(0, 10);

mkdirSync(folder, { recursive: true });
for (const old of readdirSync(folder)) {
  if (/^dustbuster.*\.\d$/.test(old)) rmSync(join(folder, old)); // of a command that no longer exists
}
for (const { file, roff } of manPages(await wholeProgram(realEffects()), date)) writeFileSync(join(folder, file), roff);
