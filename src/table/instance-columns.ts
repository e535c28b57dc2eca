// Instances of cores with one hash, taken out of their rows: where they are, and their shape.
import { Shapes } from './shape.js';

/** Instances with one hash of the core, by `from` and then `to`: a column each, 16 bytes an instance. */
export interface Instances {
  readonly count: number;
  /** The URL with the longer core (or, as long, the later one), and the other: pairs are written so that they shrink. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Bytes before the core, the same in both URLs. */
  readonly coreOffset: Int32Array;
  /** A number in `shapes`. */
  readonly shape: Int32Array;
  readonly shapes: Shapes;
  /** True where the columns are in shared memory and stay as they are. */
  readonly isShared: boolean;
}

/** The same in a message to another thread. */
export type SentInstances = Omit<Instances, 'shapes' | 'isShared'> & { readonly packedShapes: Int32Array };

export function sentInstances({ count, from, to, coreOffset, shape, shapes }: Instances): SentInstances {
  return { count, from, to, coreOffset, shape, packedShapes: shapes.packed() };
}

export function receivedInstances({ packedShapes, ...columns }: SentInstances): Instances {
  return { ...columns, shapes: Shapes.of(packedShapes), isShared: true };
}

export function columnOf(length: number, memory: 'own' | 'shared'): Int32Array {
  return new Int32Array(memory === 'own' ? new ArrayBuffer(4 * length) : new SharedArrayBuffer(4 * length));
}
