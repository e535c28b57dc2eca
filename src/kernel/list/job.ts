// Accessors of a job (layout/list-job), and sizes of records (layout/record) in units of 8 bytes.
import { FIXED, UNIT_BITS } from '../layout/record';

export function column(job: usize, field: usize): usize {
  return <usize>load<u32>(job + field);
}

export function i32At(address: usize, index: i32): i32 {
  return load<i32>(address + ((<usize>index) << 2));
}

/** Units before the URL in a record. */
export function headUnits(sketchLength: usize): usize {
  return (sketchLength + FIXED + 7) >> UNIT_BITS;
}

/** Units of a URL in a record. */
export function urlUnits(urlLength: usize): usize {
  return (urlLength + 7) >> UNIT_BITS;
}
