// Sketches pages in its own thread: the other side of `sketch-threads`.
import { parentPort, workerData } from 'node:worker_threads';
import { createContentMaker, type SketchSizes } from './sketching.js';
import type { FromSketcher, ToSketcher } from './sketch-threads.js';

const port = parentPort!;
const contentOf = createContentMaker(workerData as SketchSizes);

port.on('message', (pages: ToSketcher) => {
  port.postMessage(pages.map(contentOf) satisfies FromSketcher);
});
