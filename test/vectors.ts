// Known answers: what rules make of URLs, written by hand (fixtures/vectors, `help rules`). Everything that applies
// rules is held by them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from '../src/rule/rule.js';
import { FIXTURES } from './cli/process.js';
import { sampleParameter, samplePattern, sampleRule, sampleStep } from './rule/sample.js';

export interface Vector {
  /** Its file and what it is about. */
  readonly name: string;
  readonly rules: readonly Rule[];
  /** URL and canonical form. */
  readonly forms: readonly (readonly [url: string, form: string])[];
}

/** With the fields that say nothing of what a rule does filled in. */
type Said = Pick<Rule, 'kind' | 'site'> & Partial<Rule>;

function ruleOf(said: Said, at: number): Rule {
  const rank = at + 1;
  switch (said.kind) {
    case 'substring':
      return { ...sampleRule('', ''), ...said, rank } as Rule;
    case 'parameter':
      return { ...sampleParameter(''), ...said, rank } as Rule;
    case 'step':
      return { ...sampleStep('unescape'), ...said, rank } as Rule;
    case 'pattern':
      return { ...samplePattern('', ''), ...said, rank } as Rule;
    default:
      throw new Error(`a rule of no kind: ${JSON.stringify(said)}`);
  }
}

interface VectorFile {
  readonly format: 'dustbuster-vectors';
  readonly version: 1;
  readonly vectors: readonly {
    readonly about: string;
    readonly rules: readonly Said[];
    readonly forms: Vector['forms'];
  }[];
}

/** All of them, in the order of their files. */
export function vectors(): readonly Vector[] {
  const folder = join(FIXTURES, 'vectors');
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as VectorFile;
      if (file.format !== 'dustbuster-vectors' || file.version !== 1) throw new Error(`${name} has no vectors`);
      return file.vectors.map(({ about, rules, forms }) => ({
        name: `${name.replace('.json', '')}: ${about}`,
        rules: rules.map(ruleOf),
        forms,
      }));
    });
}

/** Those for software that rules are exported to: patterns are not, and whoever exports decides on rules that only add text. */
export function exportedVectors(): readonly Vector[] {
  return vectors().filter(
    ({ name, rules }) => !name.includes('without the word') && rules.every(({ kind }) => kind !== 'pattern'),
  );
}
