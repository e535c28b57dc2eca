// Builds dist where npm asks for it (`prepare`): after `npm install` in a clone, before `npm pack`, and for who depends on a git URL.
// What is missing where the compilers are?
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url);

if (!existsSync(new URL('node_modules/typescript', root))) {
  // For `npm install --global` of a git URL, npm (10 and 11) runs `npm install` in its clone with `global` still set. That makes a
  // link of the clone, which npm then removes, and brings no compilers: nothing that a script does here can mend that.
  const isGlobal = process.env['npm_config_global'] === 'true' || process.env['npm_config_location'] === 'global';
  console.error(
    isGlobal
      ? `dustbuster: npm cannot build a git URL where it installs globally. Build it first, then install the file:
  npm pack git+https://github.com/dustbuster/dustbuster
  npm install --global ./dustbuster-dustbuster-*.tgz`
      : 'dustbuster: the compilers are missing, so dist cannot be built: npm install --include=dev',
  );
  process.exit(1);
}

const { npm_execpath: npm } = process.env;
const [program, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
const { status, error } = spawnSync(program, [...args, 'run', 'build'], { cwd: root, stdio: 'inherit' });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
