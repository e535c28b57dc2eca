// The lines to copy for a fix: what `export` writes for its rules alone. They redirect by 302, as one begins with: browsers
// do not keep it.
import type { Target } from '../../../export/target.js';
import { loadTarget } from '../../../export/targets.js';
import type { LinesOf } from '../../../report/page/measure/fixes.js';
import type { CanonizerOptions } from '../../../canonize/canonizer.js';
import { exportRequest } from '../rules/export-request.js';

/** For web servers, and for the robot that reads such lines. */
const TARGETS = ['nginx', 'apache', 'clean-param'] as const;

/**
 * A server that cannot express all rules gets those that it can, and other targets are left out then. `name` is where the
 * rules are from, perhaps several logs.
 */
export async function exportedLines(name: string, options: CanonizerOptions): Promise<LinesOf> {
  const targets = await Promise.all(TARGETS.map((target): Promise<Target> => loadTarget(target)!));
  return (rules, fix) =>
    targets.flatMap((target) => {
      const { text, left } = target.write({
        ...exportRequest(name, { rules, options }, { status: '302', called: fix }),
        source: name === '-' ? 'standard input' : name,
      });
      if (left.length === 0) return [{ target: target.name, text }];
      return target.isServer === true && left.length < rules.length
        ? [{ target: target.name, text, left: left.length }]
        : [];
    });
}
