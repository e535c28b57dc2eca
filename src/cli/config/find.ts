// Where can options be set besides the command line? This much every start loads, so it only looks whether there is anything.
//
//   flags > DUSTBUSTER_* variables > ./dustbuster.toml > ~/.config/dustbuster/config.toml > /etc/dustbuster.toml
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';

export interface ConfigPlace {
  /** A file of the working folder may have come with it; the others were put there by who runs the program. */
  readonly kind: 'project' | 'user' | 'system' | 'named';
  /** As it is told. */
  readonly name: string;
  readonly path: string;
}

/** What --config and --no-config say: a file, none, or nothing. */
export type ConfigFlag = string | false | undefined;

export const PROJECT_FILE = 'dustbuster.toml';
const SYSTEM_FILE = '/etc/dustbuster.toml';

/** Files that are looked for, the strongest last. One that is named stands for all of them. */
export function configPlaces(flag: ConfigFlag, effects: Effects): ConfigPlace[] {
  const name = flag ?? namedByVariable(effects);
  if (name === false) return [];
  if (typeof name === 'string') return [{ kind: 'named', name, path: resolve(effects.cwd, name) }];
  const user = userFile(effects);
  return [
    { kind: 'system', name: SYSTEM_FILE, path: SYSTEM_FILE },
    ...(user === undefined ? [] : [{ kind: 'user' as const, name: user, path: user }]),
    { kind: 'project', name: PROJECT_FILE, path: join(effects.cwd, PROJECT_FILE) },
  ];
}

function namedByVariable({ env }: Effects): ConfigFlag {
  return env['DUSTBUSTER_CONFIG'] || undefined;
}

/** The XDG base directory specification: a path that is not absolute is to be ignored. */
function userFile({ env }: Effects): string | undefined {
  const base = env['XDG_CONFIG_HOME'];
  if (base !== undefined && isAbsolute(base)) return join(base, 'dustbuster', 'config.toml');
  const home = env['HOME'];
  return home === undefined || !isAbsolute(home) ? undefined : join(home, '.config', 'dustbuster', 'config.toml');
}

export function isAnythingSet(flag: ConfigFlag, effects: Effects): boolean {
  if (Object.keys(effects.env).some((name) => name.startsWith('DUSTBUSTER_'))) return true;
  return configPlaces(flag, effects).some(({ kind, path }) => kind === 'named' || existsSync(path));
}

/** Commander has true where neither --config nor --no-config was given. */
export function configFlagOf(program: Command): ConfigFlag {
  const { config } = program.opts<{ readonly config?: string | boolean }>();
  return config === true ? undefined : config;
}
