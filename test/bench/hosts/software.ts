// What is a class of software? Templates of addresses, and what it does to their names.
import { type Template, templateOf } from './words.js';
import type { Rule } from './ways.js';

export interface Software {
  readonly name: string;
  /** How many hosts run it, beside the other classes. */
  readonly share: number;
  readonly templates: readonly Template[];
  /** Folders below which some hosts have installed it. */
  readonly mounts: readonly string[];
  readonly rules: readonly Rule[];
}

export interface SoftwareText extends Omit<Software, 'templates' | 'mounts'> {
  readonly templates: readonly string[];
  readonly mounts?: readonly string[];
}

export function software({ templates, mounts = [], ...rest }: SoftwareText): Software {
  return { ...rest, templates: templates.map(templateOf), mounts };
}
