// Which names do options have in files and variables, and how does a word there become the value that a flag would
// give?
import type { Command, Option } from 'commander';
import { printable } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import type { ConfigValue } from './file.js';
import { isRepeatable } from '../flags/option.js';

/** The options of one key: `--similarity` and `--no-similarity`, or one of the two. */
export interface Settable {
  readonly key: string;
  /** The name of the value in commander. */
  readonly attribute: string;
  readonly positive?: Option;
  readonly negative?: Option;
}

/** Options about the settings themselves, and options that end the program at once. */
const NEVER: ReadonlySet<string> = new Set(['config', 'version', 'help']);

export function settablesOf(command: Command): Map<string, Settable> {
  const byKey = new Map<string, Settable>();
  for (const option of command.options) {
    const key = option.name().replace(/^no-/, '');
    if (NEVER.has(key)) continue;
    const side = option.negate ? { negative: option } : { positive: option };
    byKey.set(key, { ...byKey.get(key), key, attribute: option.attributeName(), ...side });
  }
  return byKey;
}

/** Such as `max-fetches` → `MAX_FETCHES`. */
export function variableOf(key: string): string {
  return key.toUpperCase().replaceAll('-', '_');
}

/** The value of a variable. A variable is one text: a list has one value a line, and a switch is a word. */
export function valueOfVariable(text: string, { positive, negative }: Settable): ConfigValue {
  const isSwitch = positive === undefined || !positive.required;
  const isOn = SWITCHES.get(text.toLowerCase());
  if (isSwitch || (negative !== undefined && isOn === false)) {
    if (isOn !== undefined) return { kind: 'switch', isOn };
    return { kind: 'text', text };
  }
  if (!isRepeatable(positive)) return { kind: 'text', text };
  return { kind: 'list', texts: text.split('\n').filter((line) => line !== '') };
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

/** The value that flags would give. Throws a UserError for anything else. */
export function parseSetting(value: ConfigValue, settable: Settable): unknown {
  const { positive, negative } = settable;
  if (value.kind === 'switch') {
    if (positive !== undefined && !positive.required) return value.isOn;
    if (negative !== undefined && (!value.isOn || positive === undefined)) return value.isOn;
    throw new UserError(`got ${value.isOn}, expected ${expectedOf(settable)}`);
  }
  if (value.kind === 'other' || positive === undefined || !positive.required) {
    const got = value.kind === 'other' ? value.what : value.kind === 'list' ? 'a list' : `"${printable(value.text)}"`;
    throw new UserError(`got ${got}, expected ${expectedOf(settable)}`);
  }
  if (value.kind === 'list' && !isRepeatable(positive))
    throw new UserError(`got a list, expected ${expectedOf(settable)}`);
  return asFlags(value.kind === 'list' ? value.texts : [value.text], positive);
}

/** The value that commander makes of `--option a --option b`. */
function asFlags(texts: readonly string[], { parseArg, variadic, defaultValue }: Option): unknown {
  if (parseArg === undefined) return variadic ? [...texts] : texts[0];
  return texts.reduce<unknown>((before, text) => parseArg(text, before), defaultValue);
}

function expectedOf({ positive, negative }: Settable): string {
  if (positive === undefined || !positive.required) return 'true or false';
  const choices = positive.argChoices;
  const one = choices === undefined ? 'a text or a number' : choices.map((word) => `"${word}"`).join(', ');
  const words = isRepeatable(positive) ? `${one}, or a list of them` : one;
  return negative === undefined ? words : `${words}, or false`;
}
