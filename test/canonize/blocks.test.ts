import { describe, expect, it } from 'vitest';
import { blockBytes, BlockCutter, maxLineBytes, type Block } from '../../src/canonize/blocks.js';

interface Cut {
  readonly kind: Block['kind'];
  readonly text: string;
}

function cut(text: string, step: number): Cut[] {
  const cutter = new BlockCutter();
  const bytes = Buffer.from(text, 'latin1');
  const blocks: Cut[] = [];
  const keep = (list: Iterable<Block>) => {
    for (const block of list) blocks.push({ kind: block.kind, text: Buffer.from(block.bytes).toString('latin1') });
  };
  for (let at = 0; at < bytes.length; at += step) keep(cutter.push(bytes.subarray(at, at + step)));
  keep(cutter.end());
  return blocks;
}

/** Joins adjacent parts and adjacent lines. */
function joined(blocks: readonly Cut[]): Cut[] {
  const runs: Cut[] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last?.kind === block.kind) runs[runs.length - 1] = { kind: block.kind, text: last.text + block.text };
    else runs.push(block);
  }
  return runs;
}

describe('blocks of whole lines', () => {
  it('contain the whole input, end at a newline, and are the same wherever the chunks were cut', () => {
    const text = '\n/a\r\n/b/c\n\n\n/d';
    for (let step = 1; step <= text.length; step++) {
      const blocks = cut(text, step);
      expect(blocks.map((block) => block.text).join('')).toBe(text);
      expect(blocks.slice(0, -1).every((block) => block.text.endsWith('\n'))).toBe(true);
    }
  });

  it('are small, however large a chunk is', () => {
    const blocks = cut('/a\n'.repeat(blockBytes), 3 * blockBytes);
    expect(Math.max(...blocks.map((block) => block.text.length))).toBeLessThanOrEqual(blockBytes);
  });

  it('have lines up to the limit, including the ending; a longer one comes in parts, wherever it is cut', () => {
    for (const step of [1 << 14, 100_003, 1 << 18, 5 << 20]) {
      const longest = `${'x'.repeat(maxLineBytes - 2)}\r\n`;
      expect(joined(cut(`/a\n${longest}/b\n`, step))).toEqual([{ kind: 'lines', text: `/a\n${longest}/b\n` }]);
      expect(joined(cut(`/a\nx${longest}/b`, step))).toEqual([
        { kind: 'lines', text: '/a\n' },
        { kind: 'part', text: `x${longest}` },
        { kind: 'lines', text: '/b' },
      ]);
    }
  });

  it('continue with an ordinary line after an input that ended in one that was too long', () => {
    const cutter = new BlockCutter();
    const long = new Uint8Array(2 * maxLineBytes).fill(0x78);
    const kinds = (list: Iterable<Block>) => Array.from(list, (block) => block.kind);
    expect(new Set(kinds(cutter.push(long)))).toEqual(new Set(['part']));
    expect(kinds(cutter.end())).toEqual([]);
    expect(kinds(cutter.push(Buffer.from('/a\n')))).toEqual(['lines']);
  });
});
