// Machine and versions; figures without them say nothing.
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type as system } from 'node:os';
import { outputOf } from './measure.js';

export interface Setting {
  readonly machine: string;
  readonly versions: string;
}

export async function settingOf(): Promise<Setting> {
  const packages = ['@duckdb/node-api', 'normalize-url', 'xxhash-wasm'];
  const tools = ['sort --version', 'sed --version', "perl -e 'print qq(perl $^V)'", 'goaccess --version'];
  const versions = [
    `node ${process.version.slice(1)}`,
    ...packages.map((name) => `${name} ${versionOf(name)}`),
    ...(await Promise.all(tools.map(firstLine))),
  ];
  return {
    machine: `${cpus().length} × ${cpus()[0]!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${system()} ${release()}`,
    versions: versions.join(', '),
  };
}

async function firstLine(command: string): Promise<string> {
  const [first] = (await outputOf(`${command} 2>/dev/null || true`)).split('\n');
  return first!.trim().replace(/\.$/, '') || `no ${command.split(' ')[0]!}`;
}

function versionOf(name: string): string {
  const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
