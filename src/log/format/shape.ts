// How are the lines of an input to be read: in which format, behind which prefixes, inside of what?
import type { PrefixName } from '../prefix/prefixes.js';
import type { AnyFormat } from './format.js';

export interface Shape {
  readonly format: AnyFormat;
  /** What stands before each line. */
  readonly prefixes: readonly PrefixName[];
  /** The shape of lines that are texts inside of JSON. */
  readonly inside?: Shape;
  /** A field of JSON that looks like the query of the paths, but is not known by its name. */
  readonly unreadQuery?: string;
}

export function shapeOf(format: AnyFormat): Shape {
  return { format, prefixes: [] };
}

/** The field that {@link Shape.unreadQuery} is about, whatever it is inside of. */
export function unreadQueryIn(shape: Shape | null): { readonly unreadQuery?: string } {
  if (shape?.inside !== undefined) return unreadQueryIn(shape.inside);
  return shape?.unreadQuery === undefined ? {} : { unreadQuery: shape.unreadQuery };
}

/** `vhost`, `vhost behind cri`, `jsonl of vhost`; `docker` stands for whatever is inside. */
export function nameOfShape({ format, prefixes, inside }: Shape): string {
  const within = inside === undefined || format === 'docker' ? format : `${format} of ${nameOfShape(inside)}`;
  return prefixes.length === 0 ? within : `${within} behind ${prefixes.join(' and ')}`;
}
