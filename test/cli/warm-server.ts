// Has the program loaded and runs command lines on request (warm.ts): `node dist/test/cli/warm-server.js SOCKET`, until
// its input ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { realEffects } from '../../src/base/effects.js';
import { takeScratchUse } from '../../src/base/scratch.js';
import { main } from '../../src/cli/main.js';
import { answerBy, listen, type Answered } from './warm.js';

/** A thread or a child may take as long to end, on a machine that is busy. */
const PATIENCE_MS = 10_000;

await listen(process.argv[2]!, async (asked) => {
  takeScratchUse(); // the usage of earlier commands is not reported by this one
  const before = counted();
  return judged(await answerBy(main, realEffects, asked), await leftOpen(before));
});
process.stdout.write('listening\n');
process.stdin.on('end', () => process.exit()).resume();

/** A new process would not end, as long as anything is open. */
function judged(answered: Answered, open: readonly string[]): Answered {
  if (open.length === 0) return answered;
  return { ...answered, code: 1, stderr: `${answered.stderr}the command left open: ${open.join(', ')}\n` };
}

/** Kinds of what is open now and was not before, once they had time to close. */
async function leftOpen(before: ReadonlyMap<string, number>): Promise<string[]> {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(5, undefined, { ref: false })) {
    const open = [...counted()].flatMap(([kind, count]) => (count > (before.get(kind) ?? 0) ? [kind] : []));
    if (open.length === 0 || performance.now() > end) return open;
  }
}

/** What keeps this process running, by kind. Not pipes: those of our clients come and go. */
function counted(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (!kind.startsWith('Pipe')) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
