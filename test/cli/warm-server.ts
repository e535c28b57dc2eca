// Has the program loaded and runs command lines on request (warm.ts): `node dist/test/cli/warm-server.js SOCKET`, until
// its input ends.
import { realEffects } from '../../src/base/effects.js';
import { takeScratchUse } from '../../src/base/scratch.js';
import { main } from '../../src/cli/main.js';
import { answerBy, listen } from './warm.js';

await listen(process.argv[2]!, (asked) => {
  takeScratchUse(); // the usage of earlier commands is not reported by this one
  return answerBy(main, realEffects, asked);
});
process.stdout.write('listening\n');
process.stdin.on('end', () => process.exit()).resume();
