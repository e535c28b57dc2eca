// What is said of a job that ran: where, and what it took.
import { printable } from '../../../base/bytes.js';
import { formatSize } from '../../../base/size.js';
import { many } from '../../../base/plural.js';
import type { DriverResult, ProcessUse } from './job.js';

/** One line: `parts` are what the job consists of. */
export function ranLine(done: DriverResult, parts: readonly string[]): string {
  const { application, ran, failures, shuffleBytes } = done;
  const executors = [...new Set(ran.map(({ executor }) => executor))].sort();
  const where = `in ${executors.length === 1 ? 'executor' : 'executors'} ${executors.map(printable).join(', ')}`;
  const shuffled = shuffleBytes > 0 ? `; ${formatSize(shuffleBytes)} shuffled` : '';
  const again = failures > 0 ? `; ${many(failures, 'task')} failed, and ran again` : '';
  return `${application}: ${[...parts, where].join(', ')}${shuffled}${again}\n`;
}

export function useOf(processes: readonly ProcessUse[]): string {
  const cpuMs = processes.reduce((sum, one) => sum + one.cpuMs, 0);
  const most = Math.max(...processes.map(({ memoryBytes }) => memoryBytes));
  return `${(cpuMs / 1000).toFixed(1)} s of CPU (${formatSize(most)} at most)`;
}
