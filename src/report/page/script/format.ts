// Formats figures, both for the renderer and for the page's script (see `script.ts`).
import type { Cell, CellKind } from '../table.js';

/** A part of a cell's text, and whether it is code. */
interface CellPart {
  readonly text: string;
  readonly code: boolean;
}

export interface Formats {
  readonly count: (value: number) => string;
  readonly bytes: (value: number) => string;
  /** A share from 0 to 1. */
  readonly share: (value: number) => string;
  /** A count with a noun. */
  readonly many: (value: number, noun: string) => string;
  readonly parts: (kind: CellKind, cell: Cell) => readonly CellPart[];
  readonly isNumber: (kind: CellKind) => boolean;
  /** CSS classes of a cell: its kind, and the class that colours its word. */
  readonly classOf: (kind: CellKind, cell: Cell) => string;
}

export function createFormats(): Formats {
  const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  const count = (value: number) => whole.format(value);

  function bytes(value: number): string {
    const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
    let unit = 0;
    for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
    return `${value.toFixed(unit === 0 || value >= 99.95 ? 0 : 1)} ${units[unit]}`;
  }

  /** Never shows a share as 0 % or 100 % unless it is exactly that. */
  function share(value: number): string {
    if (value > 0 && value < 0.0005) return '< 0.1 %';
    if (value < 1 && value > 0.9995) return '> 99.9 %';
    return `${(100 * value).toFixed(1)} %`;
  }

  function many(value: number, noun: string): string {
    return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
  }

  const FIGURES: Readonly<Partial<Record<CellKind, (value: number) => string>>> = {
    count,
    bytes,
    share,
    decimal: (value) => value.toFixed(3),
    ratio: (value) => `× ${value.toFixed(2)}`,
    rank: count,
  };

  function parts(kind: CellKind, cell: Cell): readonly CellPart[] {
    const plain = (text: string) => [{ text, code: kind === 'url' }];
    if (kind === 'rule')
      return String(cell)
        .split('`')
        .map((text, at) => ({ text, code: at % 2 === 1 }));
    if (cell === null) return plain('–');
    if (typeof cell === 'string') return plain(cell);
    if (typeof cell === 'number') return plain((FIGURES[kind] ?? count)(cell));
    return plain(`${cell[1] ? '≥ ' : ''}${count(cell[0])}`);
  }

  function isNumber(kind: CellKind): boolean {
    return kind === 'atLeast' || kind in FIGURES;
  }

  function classOf(kind: CellKind, cell: Cell): string {
    const word = kind === 'word' && typeof cell === 'string' ? ` word is-${cell.split(/[ ,]/)[0]}` : '';
    return (isNumber(kind) ? 'number' : kind) + word;
  }

  return { count, bytes, share, many, parts, isNumber, classOf };
}
