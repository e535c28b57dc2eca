// Ctrl-C and SIGTERM. While the tables are computed the system's own reaction is right: the process ends at once with
// 128 + signal, and scratch files have no names that could stay behind. Only an output file that is being written needs
// a hand, so handlers stand just that long; they would otherwise wait for the synchronous loops to end.
import { removeUnfinished } from '../base/output.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `work`; a signal meanwhile removes half-written output and then ends the process as it would have anyway. */
export async function guardingOutput<T>(work: () => Promise<T>): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    removeUnfinished();
    for (const name of SIGNALS) process.removeListener(name, stop);
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work();
  } finally {
    for (const name of SIGNALS) process.removeListener(name, stop);
  }
}
