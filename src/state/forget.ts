// Removes everything from a state that contains a text: a session, a mail address, a URL. Finds the text as given, with
// and without escapes, and as the pseudonym that the state has for a visitor's value.
import { encodeText, decodeText } from '../base/bytes.js';
import { rulesContent } from '../rule/file.js';
import type { RulesFile } from '../rule/rule.js';
import { uncollate } from '../url/token.js';
import type { StateFolder } from './folder.js';
import type { MadeUpValues } from './made-up.js';
import { withoutEscapes } from '../url/escape.js';

export interface Forgotten {
  readonly urls: number;
  readonly rules: number;
}

/** When this returns, the state on disk is without them. */
export function forget(folder: StateFolder, texts: readonly string[], rules: RulesFile | undefined): Forgotten {
  const madeUp = folder.madeUpValues();
  const written = texts.flatMap((text) => writingsOf(text, madeUp));
  const needles = written.map((text) => Buffer.from(encodeText(text)));
  const urls = folder.remove((url) => {
    const bytes = Buffer.from(uncollate(url));
    return needles.some((needle) => bytes.includes(needle));
  });
  return { urls, rules: rules === undefined ? 0 : forgetRules(folder, rules, written) };
}

function forgetRules(folder: StateFolder, file: RulesFile, written: readonly string[]): number {
  const quoted = written.map((text) => JSON.stringify(text).slice(1, -1));
  const left = file.rules.filter((rule) => {
    const text = JSON.stringify(rule);
    return !quoted.some((one) => text.includes(one));
  });
  if (left.length < file.rules.length) folder.keepRules(rulesContent({ ...file, rules: left }));
  return file.rules.length - left.length;
}

/** The forms in which the text may occur in a state. */
function writingsOf(text: string, madeUp: MadeUpValues): readonly string[] {
  const escaped = encodeURIComponent(text);
  const forms = [
    text,
    withoutEscapes(text),
    escaped,
    text.replaceAll('@', '%40'),
    text.replaceAll('@', '%40').replaceAll('+', '%2B'),
  ];
  const small = forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()));
  const all = [...forms, ...small].flatMap((form) => [
    form,
    madeUp.textOf(form),
    decodeText(madeUp.urlOf(encodeText(form))),
  ]);
  return [...new Set(all)];
}
