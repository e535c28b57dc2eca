// `--base`: what mine, validate, rehearse, report and eval read as scheme and host. It is checked where it is set, on the
// command line, in a file or by a variable, before anything can repeat it.
import { parseBase } from '../../log/compose.js';

/** Throws a UserError for anything but scheme and host. */
export function baseOption(text: string): string {
  parseBase(text);
  return text;
}
