// Loaded before the program (`node --import`): kills the process before its n-th call that changes a file or a folder,
// KILL_AT, as a power cut would. If the program ends before, the number of its calls is in the file KILL_CALLS.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CALLS = [
  'closeSync',
  'fsyncSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'utimesSync',
  'writeSync',
] as const;

const killAt = Number(process.env['KILL_AT'] ?? Infinity);
const callsFile = process.env['KILL_CALLS'];
const { writeFileSync } = fs;
let calls = 0;

type AnyCall = (...args: readonly unknown[]) => unknown;

for (const name of CALLS) {
  const call = fs[name] as AnyCall;
  const counted: AnyCall = (...args) => {
    if (++calls === killAt) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();
if (callsFile !== undefined) process.on('exit', () => writeFileSync(callsFile, String(calls)));
