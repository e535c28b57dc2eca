// normalize-url with the options that say what a few rules say: node normalize-url.js LIST > OUTPUT.
import { readFileSync, writeSync } from 'node:fs';
import normalizeUrl, { type Options } from 'normalize-url';

const options: Options = {
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
