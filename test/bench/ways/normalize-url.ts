// normalize-url with the options that say what a few rules say: node normalize-url.js LIST > OUTPUT.
import { readFileSync, writeSync } from 'node:fs';
import { importOptional } from './optional.js';

interface NormalizeUrl {
  readonly default: (url: string, options: Readonly<Record<string, unknown>>) => string;
}

const { default: normalizeUrl } = (await importOptional('normalize-url')) as NormalizeUrl;
const options = {
  stripWWW: true,
  removeDirectoryIndex: ['index.html'],
  removeQueryParameters: ['sid', 'print'],
  sortQueryParameters: false,
  removeTrailingSlash: false,
  removeSingleSlash: false,
};
let block = '';
for (const url of readFileSync(process.argv[2]!, 'latin1').trimEnd().split('\n')) {
  block += `${normalizeUrl(url, options)}\n`;
  if (block.length < 1 << 18) continue;
  writeSync(1, block, null, 'latin1');
  block = '';
}
writeSync(1, block, null, 'latin1');
