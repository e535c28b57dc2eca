// A row of the URL table: the place of its text, and its sizes. The columns of layout/url-table, as records.
import { PLACE_BYTES, SIZE_BYTES } from '../layout/url-table';

@unmanaged
export class Place {
  urlStart: usize;
  urlEnd: usize;
  sketchStart: usize;
  sketchEnd: usize;

  get urlLength(): usize {
    return this.urlEnd - this.urlStart;
  }

  get sketchLength(): usize {
    return this.sketchEnd - this.sketchStart;
  }
}

@unmanaged
export class Sizes {
  hits: f64;
  /** UNKNOWN_SIZE if no size is known. */
  min: f64;
  max: f64;
}

export const UNKNOWN_SIZE: f64 = -1;

/** The record of a row in a column of places. */
export function placeIn(places: usize, row: i32): Place {
  return changetype<Place>(places + <usize>row * PLACE_BYTES);
}

export function sizesIn(sizes: usize, row: i32): Sizes {
  return changetype<Sizes>(sizes + <usize>row * SIZE_BYTES);
}
