// What is known of each URL of a made list, a line each: url, page, kinds, class, set, URLs of its host, part.
import type { MadeHost, MadeUrl, Set } from './made.js';

/** Was the URL mined? `half` was not, but others of its host were; of hosts of `never` none was. */
export type Part = 'mined' | 'half' | 'never';

export interface Truth extends Pick<MadeUrl, 'url' | 'page' | 'kinds'> {
  readonly software: string;
  readonly set: Set;
  readonly size: number;
  readonly part: Part;
}

export function truthLine({ url, page, kinds }: MadeUrl, { software, set, size }: MadeHost, part: Part): string {
  return `${[url, page, kinds, software, set, size, part].join('\t')}\n`;
}

export function truthOf(line: string): Truth {
  const [url, page, kinds, software, set, size, part] = line.split('\t');
  if (part === undefined) throw new Error(`${line} has no seven fields, expected a line of truth`);
  return {
    url: url!,
    page: page!,
    kinds: kinds!,
    software: software!,
    set: set as Set,
    size: Number(size),
    part: part as Part,
  };
}
