// The line that is being read, as the kernel found it: ranges of bytes, which begin at 0 if there are none, and numbers.

export const UNKNOWN: f64 = -1;

export class Line {
  static url: usize = 0;
  static urlEnd: usize = 0;
  /** The quotes around the request. */
  static open: usize = 0;
  static close: usize = 0;
  static query: usize = 0;
  static queryEnd: usize = 0;
  static host: usize = 0;
  static hostEnd: usize = 0;
  static isSecure: bool = false;
  static sketch: usize = 0;
  static sketchEnd: usize = 0;
  static status: f64 = 0;
  static size: f64 = 0;

  static clear(): void {
    Line.open = Line.close = 0;
    Line.url = Line.query = Line.queryEnd = Line.host = Line.hostEnd = Line.sketch = Line.sketchEnd = 0;
    Line.isSecure = false;
    Line.status = Line.size = UNKNOWN;
  }
}
