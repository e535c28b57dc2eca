// How is text written in a sed script? Commands and addresses are delimited by commas, which do not occur in the
// bracket expressions used here:
//
//     s,^(https?://[^/?]*)/index\.html$,\1/,          \,^/forum/,{ … }
//
// The pattern space has a URL, which cannot contain a blank, tab or newline: those serve as temporary marks. Only POSIX
// features are used, so that the sed of BSD and macOS accepts the script too: newlines in replacements are written
// literally.

/** A byte that is a token of its own (SPEC 1), and any other byte; in the C locale. */
export const MARK = '[!-/:-@[-`{-~]';
/** The same, if a blank may replace such a byte. */
export const MARK_OR_BLANK = '[ !-/:-@[-`{-~]';

export const HTTP = '[Hh][Tt][Tt][Pp][Ss]?://';
/** Everything before the path, for a URL that has it. */
export const ORIGIN = `(${HTTP}[^/?]*)?`;

/** A newline in a replacement. */
export const NEWLINE = '\\\n';

/** An expression for just this text. */
export function literal(text: string): string {
  return text.replace(/[.[\\(*+?{|^$)},]/g, '\\$&').replace(/\\}/g, '}');
}

/** Text that is put in. */
export function replacement(text: string): string {
  return text.replace(/[\\&,]/g, '\\$&');
}

/** `commands` for the lines that match `address`. */
export function block(address: string, commands: readonly string[]): readonly string[] {
  return address === '' ? commands : [`${address}{`, ...commands, '}'];
}
