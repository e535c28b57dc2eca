// Are the tests about to run the kernel that stands in src? They run what `npm run build` made of it, and stop where
// that is another.
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync(process.execPath, ['src/kernel/build.js', '--fresh'], { stdio: 'pipe' });
}
