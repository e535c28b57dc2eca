// The data of `filter.ts`, in a file of its own because rules files record it and programs read them without Node; and
// whether a path names a document.
import { DOT, SEMICOLON, SLASH } from '../base/ascii.js';
import { encodeText } from '../base/bytes.js';
import { emptyParts, splitUrl } from '../url/parse.js';

/** What a record must satisfy: plain data, so that it can be sent to threads. */
export interface Filters {
  /** Milliseconds since 1970. A record must not be before `since`, and must be before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** Globs, at least one of which must match. */
  readonly hosts?: readonly string[];
  readonly include?: readonly string[];
  /** Globs, none of which may match. */
  readonly exclude?: readonly string[];
  readonly onlyDocuments?: boolean;
  readonly bots?: 'only' | 'none';
}

/**
 * By kind, extensions in lower case. A path with any other extension, or none, names a document; these are parts of
 * pages, or downloads.
 */
const ENDINGS = {
  pictures: 'apng avif bmp cur gif heic heif ico jfif jpe jpeg jpg png svg svgz tif tiff webp',
  styles: 'css less sass scss',
  scripts: 'cjs js jsx map mjs swf vbs wasm',
  fonts: 'eot otf ttc ttf woff woff2',
  media:
    'aac avi flac flv m3u8 m4a m4s m4v mid midi mkv mov mp3 mp4 mpd mpeg mpg oga ogg ogv opus ts vtt wav weba webm wma wmv',
  archives:
    '7z apk appimage bin br bz2 cab deb dmg ear exe gz img iso jar lz4 msi pkg rar rpm tar tbz2 tgz txz war xz z zip zst',
} as const;

const endings = new Set(Object.values(ENDINGS).flatMap((words) => words.split(' ')));
const LONGEST = Math.max(...Array.from(endings, (ending) => ending.length));

/** For the path `bytes[start, end)`, without query; path parameters (`;v=2`) are ignored. */
export function isDocument(bytes: Uint8Array, start: number, end: number): boolean {
  let stop = end;
  for (let at = end - 1; at >= start && bytes[at] !== SLASH; at--) if (bytes[at] === SEMICOLON) stop = at;
  let ending = '';
  for (let at = stop - 1; at >= start && stop - at <= LONGEST + 1; at--) {
    const byte = bytes[at]!;
    if (byte === DOT) return !endings.has(ending);
    if (byte === SLASH) return true;
    ending = String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) + ending;
  }
  return true;
}

// True for a URL of a document. Duplicates of these matter most: pictures and styles are parts of pages.

export function isDocumentUrl(text: string): boolean {
  const url = encodeText(text);
  const { pathStart, queryStart } = splitUrl(url, 0, url.length, emptyParts());
  return isDocument(url, pathStart, queryStart);
}
