// How does text stand in a sed script? Commands and addresses are delimited by commas, as these stand in no bracket
// that is written here:
//
//     s,^(https?://[^/?]*)/index\.html$,\1/,          \,^/forum/,{ … }
//
// The pattern space holds a URL, in which no blank, tab or newline can be: those mark places while a rule is at work.
// Only what POSIX has is used, so that the sed of BSD and macOS takes the script too: newlines in what is put are
// written as such.

/** A byte that is a token of its own (SPEC 1), and any other one; in the C locale. */
export const MARK = '[!-/:-@[-`{-~]';
/** The same where a blank stands for such a byte. */
export const MARK_OR_BLANK = '[ !-/:-@[-`{-~]';

export const HTTP = '[Hh][Tt][Tt][Pp][Ss]?://';
/** Everything before the path, of a URL that has it. */
export const ORIGIN = `(${HTTP}[^/?]*)?`;

/** What is put for a newline. */
export const NEWLINE = '\\\n';

/** An expression for just this text. */
export function literal(text: string): string {
  return text.replace(/[.[\\(*+?{|^$)},]/g, '\\$&').replace(/\\}/g, '}');
}

/** Text that is put in. */
export function replacement(text: string): string {
  return text.replace(/[\\&,]/g, '\\$&');
}

/** `commands` for the lines that `address` says. */
export function block(address: string, commands: readonly string[]): readonly string[] {
  return address === '' ? commands : [`${address}{`, ...commands, '}'];
}
