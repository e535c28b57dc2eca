// A stand-in until the instances of a bucket are made here.

export function addBucket(
  members: usize,
  size: i32,
  iLow: i32,
  iHigh: i32,
  jLow: i32,
  jHigh: i32,
  dLow: i32,
  dHigh: i32,
): void {}
