// `--json`: the summary of a run as one JSON document on standard output, in place of the text for people.
import { escapeControls } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { createSink } from '../../base/output.js';

/** Throws a UserError if the summary and the result would both go to standard output. */
export function refuseMixed({ json }: { readonly json?: boolean }, output: string, what: string): void {
  if (json !== true || output !== '-') return;
  throw new UserError(
    `--json: got standard output for ${what} and for the summary; expected a file for ${what} with -o`,
  );
}

export async function writeSummary(summary: object, effects: Effects): Promise<void> {
  const sink = createSink(effects.stdout);
  await sink.write(`${escapeControls(JSON.stringify(summary, null, 2))}\n`);
  await sink.end();
}
