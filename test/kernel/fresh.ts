// Are the tests about to run the kernel in src? They run the output of `npm run build`, and stop if that is outdated.
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync(process.execPath, ['src/kernel/build.js', '--fresh'], { stdio: 'pipe' });
}
