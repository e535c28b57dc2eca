// What does the comment at the top of a file with simple rules say?
import { headingLines } from '../heading.js';
import { withStatus } from '../web-promise.js';
import type { ExportRequest } from '../target.js';
import type { SimpleRules } from './rules.js';

const PROMISE = `A GET or HEAD for a URL that a rule changes is redirected (301). Every edit is made once, so that a URL which needs one
twice takes another redirect. What stays: fields without = or text, parameters in paths (;name=) that were not in the
examples of a rule, and paths with . or .. in them.`;

export function simpleHeading(request: ExportRequest, usage: string, { left }: SimpleRules): readonly string[] {
  const lines = headingLines(request, withStatus(`${usage}\n${PROMISE}`, request), left);
  return lines.map((line) => `# ${line}`.trimEnd());
}
