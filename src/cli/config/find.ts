// Where can options be set other than on the command line? Every start loads this file, so it only checks which of the
// places exist.
//
//   flags > DUSTBUSTER_* variables > ./dustbuster.toml > ~/.config/dustbuster/config.toml > /etc/dustbuster.toml
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { systemName } from '../../base/file-name.js';

export interface ConfigPlace {
  /**
   * A `project` file, in the working folder, may have come with that folder. The user of the program chose the others.
   */
  readonly kind: 'project' | 'user' | 'system' | 'named';
  /** The name in messages. */
  readonly name: string;
  readonly path: string;
}

/** The value of --config or --no-config: a file, none, or not given. */
export type ConfigFlag = string | false | undefined;

const PROJECT_FILE = 'dustbuster.toml';
const SYSTEM_FILE = '/etc/dustbuster.toml';

/** The files to look for, in order of increasing precedence. A named file replaces all of them. */
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

/** The XDG base directory specification: a path that is not absolute must be ignored. */
function userFile({ env }: Effects): string | undefined {
  const base = env['XDG_CONFIG_HOME'];
  if (base !== undefined && isAbsolute(base)) return join(base, 'dustbuster', 'config.toml');
  const home = env['HOME'];
  return home === undefined || !isAbsolute(home) ? undefined : join(home, '.config', 'dustbuster', 'config.toml');
}

export function isAnythingSet(flag: ConfigFlag, effects: Effects): boolean {
  if (Object.keys(effects.env).some((name) => name.startsWith('DUSTBUSTER_'))) return true;
  return configPlaces(flag, effects).some(({ kind, path }) => kind === 'named' || existsSync(systemName(path)));
}

/** The value is true in commander if neither --config nor --no-config was given. */
export function configFlagOf(program: Command): ConfigFlag {
  const { config } = program.opts<{ readonly config?: string | boolean }>();
  return config === true ? undefined : config;
}
