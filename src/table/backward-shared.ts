// The backward order of a site's URLs, made by threads.
import { sortShared } from '../base/sort-shared.js';
import type { BackwardCrew } from './backward.js';
import { partsOf, type TableCrew } from './crew.js';
import type { SharedSite, SiteUrls } from './site-urls.js';

/** Threads that do the steps; a bucket too large for one of them they sort together. */
export function sharedBackward(crew: TableCrew, urls: SiteUrls, site: SharedSite): BackwardCrew {
  return {
    threads: crew.threads,
    run(job, steps) {
      const results: (Int32Array | undefined)[] = steps.map(() => undefined);
      const tasks = steps.map((step) => ({ kind: 'backward' as const, site, job, step }));
      crew.run(tasks, (counts, task) => {
        results[tasks.findIndex((one) => one === task)] = counts as Int32Array;
      });
      return results;
    },
    sortWhole(order, from, to) {
      sortShared(crew, order.backward.subarray(from, to), spansOf(urls, site), 'backward');
      const parts = partsOf(crew, to - from);
      const tasks = parts.map((part) => ({
        kind: 'last' as const,
        site,
        order,
        from: from + part.from,
        to: from + part.to,
      }));
      crew.run(tasks, () => undefined);
    },
  };
}

/** Where URLs start and end: columns of offsets into the bytes of the site. */
function spansOf(urls: SiteUrls, { bytes, count }: SharedSite) {
  const column = () =>
    bytes.length < 2 ** 32
      ? new Uint32Array(new SharedArrayBuffer(count * 4))
      : new Float64Array(new SharedArrayBuffer(count * 8));
  const spans = { bytes, start: column(), end: column() };
  for (let row = 0; row < count; row++) {
    spans.start[row] = urls.at(row);
    spans.end[row] = spans.start[row]! + urls.lengthOf(row);
  }
  return spans;
}
