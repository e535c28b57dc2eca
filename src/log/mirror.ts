// Lists the pages of a copy of a site that `wget -m` has made: a folder for each host, files by path and query.
//
//     www.example.com/docs/a.html        http://www.example.com/docs/a.html
//     www.example.com/index.html         http://www.example.com/         wget's name for a URL that ends in a slash
//     www.example.com/list?page=2        http://www.example.com/list?page=2
//
// wget keeps neither statuses nor headers. So every file counts as a 200 without a type, and its time is that of the
// file, which wget sets to Last-Modified. Files outside of the folders of hosts, such as wget's own log, are no pages.
import { readFile, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { decodeText, encodeText } from '../base/bytes.js';
import { systemName } from '../base/file-name.js';
import { normalizeSafe } from '../url/normalize.js';
import { findInputs, type InputPlace } from './inputs.js';
import type { Capture } from './warc/capture.js';

const DEFAULT_PAGE = 'index.html';

/** The files of a folder, sorted by name. Throws a UserError if there is no such folder, or no file in it. */
export async function* mirrorPages(
  folder: string,
  maxBodyBytes: number,
  place: InputPlace,
): AsyncGenerator<{ readonly capture: Capture; readonly time: number }> {
  const root = resolve(place.cwd, folder);
  for (const { path } of await findInputs([folder], place)) {
    const url = path === undefined ? undefined : urlOf(relative(root, path));
    if (path === undefined || url === undefined) continue;
    const { size, mtimeMs } = await stat(systemName(path));
    const time = Math.floor(mtimeMs / 1000);
    if (size > maxBodyBytes) {
      const detail = `more than ${maxBodyBytes} bytes`;
      yield { capture: { kind: 'unusable', url, reason: 'too-large', detail }, time };
      continue;
    }
    const body = await readFile(systemName(path));
    yield { capture: { kind: 'document', url, status: 200, contentType: undefined, link: undefined, body }, time };
  }
}

/** Undefined for a file outside of the folders of hosts. */
function urlOf(path: string): string | undefined {
  const [host, ...segments] = path.split(sep);
  const file = segments.pop();
  if (host === undefined || file === undefined || host === '..') return undefined;
  const url = `http://${[host, ...segments, file === DEFAULT_PAGE ? '' : file].join('/')}`;
  return decodeText(normalizeSafe(encodeText(url.replaceAll('#', '%23'))));
}
