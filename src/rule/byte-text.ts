// Parts of a URL as text that has one character for each byte.

/** The text with the byte of each escape in place of the escape. */
export function unescaped(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)));
}

/** The source of an expression for the text. */
export function literal(text: string): string {
  return text.replace(/\W/g, '\\$&');
}
