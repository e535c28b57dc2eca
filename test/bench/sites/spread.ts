// How is a figure printed that several seeds gave? The mean, and the range from the least to the most if they differ.
export interface Spread {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

export function told({ mean, min, max }: Spread, digitsOf: (value: number) => string): string {
  const [least, most] = [digitsOf(min), digitsOf(max)];
  return least === most ? digitsOf(mean) : `${digitsOf(mean)} (${least}…${most})`;
}

export const asShare = (value: number): string => value.toFixed(3).replace(/^(-?)0\./, '$1.');
export const asPercent = (value: number): string => `${(100 * value).toFixed(2)} %`;
export const asCount = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A table of markdown; the first column is words, the others are figures. */
export function markdownOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map((_, k) => (k === 0 ? '---' : '---:'))) + rows.map(line).join('');
}
