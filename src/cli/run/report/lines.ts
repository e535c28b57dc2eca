// The lines to copy for a fix: what `export` writes for its rules alone, as one would by hand (`--simple`) if that says
// them all.
import type { ExportRequest, Target } from '../../../export/target.js';
import { loadTarget } from '../../../export/targets.js';
import type { LinesOf } from '../../../report/page/measure/fixes.js';
import type { RulesFile } from '../../../rule/rule.js';
import { packageVersion } from '../../version.js';

/** For web servers, and for the robot that reads such lines. */
const TARGETS = ['nginx', 'apache', 'clean-param'] as const;

/** Targets that cannot express all rules are left out. */
export async function exportedLines(
  file: RulesFile,
  { source, maxIterations }: Pick<ExportRequest, 'source' | 'maxIterations'>,
): Promise<LinesOf> {
  const targets = await Promise.all(TARGETS.map((name): Promise<Target> => loadTarget(name)!));
  const request = {
    normalization: file.normalization,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
    maxIterations,
    source,
    generator: `dustbuster ${packageVersion()}`,
  };
  return (rules) =>
    targets.flatMap((target) => {
      for (const isSimple of target.isServer === true ? [true, false] : [false]) {
        const { text, left } = target.write({ ...request, rules, isSimple });
        if (left.length === 0) return [{ target: target.name, text }];
      }
      return [];
    });
}
