import { Command } from 'commander';
import { expect, it } from 'vitest';
import { realEffects, type Effects } from '../../../src/base/effects.js';
import { MEMORY, machineOptions } from '../../../src/cli/flags/machine.js';
import { addOptions, settleStandards } from '../../../src/cli/flags/option.js';
import { flagsOf } from '../../../src/library/settings.js';

const GIB = 2 ** 30;

/** The threads of a command with these arguments, on a machine with 8 cores. */
function threadsOf(args: readonly string[], memoryBytes = 64 * GIB): unknown {
  const effects: Effects = { ...realEffects(), cores: 8, memoryBytes };
  const command = new Command('mine');
  addOptions(command, machineOptions('threads'), effects);
  command.parse(args, { from: 'user' });
  settleStandards(command);
  return command.opts()['threads'];
}

it.each([
  [[], 8],
  [['--memory', '1g'], 8],
  [['--memory', '1023m'], 8],
  [['--memory', '256m'], 4],
  [['--memory', '128m'], 2],
  [['--memory', '64m'], 1],
  [['--memory', '1m'], 1],
  [['--memory', '1m', '--threads', '3'], 3],
  [['--memory', '64m', '--threads', '8'], 8],
  [['--memory', 'much'], 8],
])('with %j there are %i threads', (args, threads) => expect(threadsOf(args)).toBe(threads));

it('a program gets as many', () => {
  const effects: Effects = { ...realEffects(), cores: 8, memoryBytes: 64 * GIB };
  expect(flagsOf({}, effects).threads).toBe(8);
  expect(flagsOf({ memory: '128m' }, effects).threads).toBe(2);
  expect(flagsOf({ memory: 64 * 2 ** 20 }, effects).threads).toBe(1);
  expect(flagsOf({ memory: '64m', threads: 3 }, effects).threads).toBe(3);
});

it('a machine of almost no memory has a size by default', () =>
  expect(MEMORY.of({ memoryBytes: 1 } as Effects)).toBe('1m'));

it('a small machine has few threads by default, as its default memory is a quarter', () => {
  expect(threadsOf([], GIB)).toBe(4);
  expect(threadsOf([], GIB / 2)).toBe(2);
});
