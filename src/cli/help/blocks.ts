// The parts of help and man pages that are generated from the commander tree, as blocks like those of the written
// pages.
import { literal, type Block, type Term } from './markdown.js';
import type { CommandSheet, OperandSheet, OptionSheet } from './tree.js';

/** Options under their headings, in the order of the tree. */
export function optionBlocks(options: readonly OptionSheet[], standardOf: StandardOf = ownStandard): Block[] {
  const groups = new Map<string, OptionSheet[]>();
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  return [...groups].flatMap(([group, members]): Block[] => [
    { kind: 'heading', depth: 3, text: group.replace(/:$/, '') },
    optionTerms(members, standardOf),
  ]);
}

/** Without the words that an option takes: there may be twenty. */
export function briefOptionTerms(options: readonly OptionSheet[]): Block {
  return { kind: 'terms', rows: options.map((option) => optionTerm(option, option.standard, { isBrief: true })) };
}

function optionTerms(options: readonly OptionSheet[], standardOf: StandardOf = ownStandard): Block {
  return { kind: 'terms', rows: options.map((option) => optionTerm(option, standardOf(option))) };
}

/** How to describe the default of an option. */
export type StandardOf = (option: OptionSheet) => string | undefined;

export function ownStandard({ standard }: OptionSheet): string | undefined {
  return standard;
}

function optionTerm(option: OptionSheet, standard: string | undefined, { isBrief = false } = {}): Term {
  const { short, long, placeholder, text, choices, isVariadic } = option;
  const names = [short, long].flatMap((name) => (name === undefined || name === '' ? [] : [`\`${name}\``])).join(', ');
  const value = placeholder === undefined ? '' : ` _${literal(`<${placeholder}${isVariadic ? '...' : ''}>`)}_`;
  const words = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
  const standing = standard === undefined ? '' : ` (default: ${standard})`;
  const own = isBrief ? '' : words;
  return { term: `${names}${value}`, text: literal(text + own + standing) };
}

export function operandBlocks(operands: readonly OperandSheet[]): Block[] {
  if (operands.length === 0) return [];
  const rows = operands.map(({ name, text, choices }) => {
    const words = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
    return { term: `_${literal(name)}_`, text: literal(text + words) };
  });
  return [{ kind: 'terms', rows }];
}

export function descriptionBlocks({ description }: CommandSheet): Block[] {
  return description.map((text) => ({ kind: 'text', text: literal(text.replaceAll('\n', ' ')) }));
}

export function section(text: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ kind: 'heading', depth: 2, text }, ...blocks];
}
