// Sketches pages in its own thread: the other side of `sketch-threads`.
import { parentPort, workerData } from 'node:worker_threads';
import { contentOf, type SketchSizes } from './sketching.js';
import type { FromSketcher, ToSketcher } from './sketch-threads.js';

const port = parentPort!;
const sizes = workerData as SketchSizes;

port.on('message', (pages: ToSketcher) => {
  port.postMessage(pages.map((page) => contentOf(page, sizes)) satisfies FromSketcher);
});
