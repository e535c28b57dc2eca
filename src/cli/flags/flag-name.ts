// How is a flag written that commander knows as an attribute?

/** `--max-url-length` for `maxUrlLength`. */
export function flagOf(attribute: string): string {
  return `--${attribute.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
