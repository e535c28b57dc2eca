// The flags that say which records are wanted, for commands that read logs.
import type { Command } from 'commander';
import { choice } from './parse.js';

export interface FilterFlags {
  readonly since?: string;
  readonly until?: string;
  readonly host?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly onlyDocuments?: boolean;
  readonly bots?: 'all' | 'only' | 'none';
}

export function addFilterOptions(command: Command): void {
  const collect = (glob: string, before: readonly string[] = []) => [...before, glob];
  command
    .optionsGroup('Which lines count:')
    .option('--since <when>', 'leave out what came before: 2026-11-01, 2026-11-01T12:00 (UTC), 7d or 24h ago')
    .option('--until <when>', 'leave out what came after: a day with all of it, a time, or so long ago')
    .option('--host <glob>', 'only this host, as in *.example.com; may be repeated', collect)
    .option('--include <glob>', "only these paths, as in '/shop/**' or '*.html'; may be repeated", collect)
    .option('--exclude <glob>', "none of these paths, as in '/admin/'; may be repeated", collect)
    .option('--only-documents', 'no pictures, styles, scripts, fonts, media, archives, by the ending of the path')
    .addOption(choice('--bots <which>', 'what bots asked for, by user agent', ['all', 'only', 'none'], 'all'))
    .optionsGroup('');
}
