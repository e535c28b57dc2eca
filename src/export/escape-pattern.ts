// What does the escape of a sign look like to an expression? Its digits may be small.

/** As in `%2[Aa]`; of a sign of ASCII. */
export function escapePattern(sign: string): string {
  const digits = sign.charCodeAt(0).toString(16).toUpperCase();
  return `%${digits.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)}`;
}
