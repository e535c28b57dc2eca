// How is a time of the server written? In the largest unit of which there are two.

const UNITS: readonly (readonly [string, number])[] = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

export function spent(ms: number): string {
  const [name, size] = UNITS.find(([, one]) => ms >= 2 * one) ?? ['ms', 1];
  return size === 1 ? `${Math.round(ms)} ms` : `${(ms / size).toFixed(1)} ${name}`;
}
