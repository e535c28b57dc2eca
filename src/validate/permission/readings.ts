// Which kinds of URLs are read commonly? The words of a URL tell what it does: the names of its folders, of its fields,
// and of what a field chooses. So a URL may be requested if a crawler or several clients have used each of its words on
// this site:
//
//   /forum/topic-17/delete?do=edit&page=3      forum  *-#  delete  |  do  page  |  do=edit
//                                                          ^ few                   ^ few
//
// Titles are not such words: in a folder with more than MOST_CHILDREN names, any name is allowed if the folder is read
// commonly. The result depends only on the set of requests, not on their order, up to the limits below.
import { ANY, type Template } from './template.js';
import { addReader, addReaders, noReaders, type Reader, type Readers } from './readers.js';

const MOST_CHILDREN = 24;
/** The most values of one field. */
const MOST_VALUES = 60;
/** The most words, some 20 MB with the folders. Words after these stay unknown. */
const MOST_WORDS = 50_000;
const MOST_FOLDERS = 30_000;

/** Null for a folder of titles, whose names do not matter. */
type Children = Set<string> | null;

interface Folder {
  children: Children;
  readonly readers: Readers;
}

/** Readings of the URLs of one site. */
export class Readings {
  readonly #segments = new Map<string, Readers>();
  readonly #names = new Map<string, Readers>();
  /** Readers by name of the field, then by value; only `*` if there are too many values. */
  readonly #values = new Map<string, Map<string, Readers>>();
  /** Folders by the kinds of the segments before, and the number of segments that follow. */
  readonly #folders = new Map<string, Folder>();

  add({ segments, names, words }: Template, reader: Reader): void {
    let path = '';
    for (const [at, segment] of segments.entries()) {
      note(this.#segments, segment, reader);
      path = this.#addChild(`${path}/`, segments.length - at, segment, reader);
    }
    for (const name of names) note(this.#names, name, reader);
    for (const [name, value] of words) this.#addValue(name, value, reader);
  }

  /** The readers of each word; undefined for a word that nobody has used. */
  readersOf({ segments, names, words }: Template): (Readers | undefined)[][] {
    let path = '';
    const ofSegments = segments.map((segment, at) => {
      const folder = this.#folders.get(folderKey(`${path}/`, segments.length - at));
      const isTitle = folder?.children === null;
      path = `${path}/${isTitle ? ANY : segment}`;
      return [this.#segments.get(segment), ...(isTitle ? [folder?.readers] : [])];
    });
    const ofNames = names.map((name) => [this.#names.get(name)]);
    const ofWords = words.map(([name, value]) => {
      const known = this.#values.get(name);
      return [known?.get(value) ?? known?.get(ANY)];
    });
    return [...ofSegments, ...ofNames, ...ofWords];
  }

  /** The template in which `*` stands for titles. */
  kindOf({ segments, ...template }: Template): Template {
    let path = '';
    const kinds = segments.map((segment, at) => {
      const folder = this.#folders.get(folderKey(`${path}/`, segments.length - at));
      const kind = folder?.children === null ? ANY : segment;
      path = `${path}/${kind}`;
      return kind;
    });
    return { ...template, segments: kinds };
  }

  /** Adds a segment below `path` and returns the path of the child. */
  #addChild(path: string, depth: number, segment: string, reader: Reader): string {
    const key = folderKey(path, depth);
    let folder = this.#folders.get(key);
    if (folder === undefined) {
      if (this.#folders.size === MOST_FOLDERS) return `${path}${segment}`;
      this.#folders.set(key, (folder = { children: new Set(), readers: noReaders() }));
    }
    addReader(folder.readers, reader);
    folder.children?.add(segment);
    if (folder.children !== null && folder.children.size > MOST_CHILDREN) folder.children = null;
    return `${path}${folder.children === null ? ANY : segment}`;
  }

  #addValue(name: string, value: string, reader: Reader): void {
    let values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, (values = new Map()));
    const all = values.get(ANY);
    if (all !== undefined) return addReader(all, reader);
    note(values, value, reader);
    if (values.size <= MOST_VALUES) return;
    const together = noReaders();
    for (const readers of values.values()) addReaders(together, readers);
    values.clear();
    values.set(ANY, together);
  }
}

function folderKey(path: string, depth: number): string {
  return `${depth} ${path}`;
}

function note(known: Map<string, Readers>, word: string, reader: Reader): void {
  let readers = known.get(word);
  if (readers === undefined) {
    if (known.size === MOST_WORDS) return;
    known.set(word, (readers = noReaders()));
  }
  addReader(readers, reader);
}
