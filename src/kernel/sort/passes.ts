// Which passes do sorts share that differ in their keys only? Entries of type T begin with a key u64: a byte of it counts
// for LSD radix sort, all bits of a mask for insertion sort. Both are stable.
//
//   cells   by value of a digit, u32: bytes of the entries that have it; then where the next of them goes

/** Counts entries by a byte of their keys, little endian; the cells are 0. */
export function countByte<T>(source: usize, end: usize, byte: usize, cells: usize): void {
  for (let entry = source; entry < end; entry += sizeof<T>()) {
    const cell = cells + ((<usize>load<u8>(entry + byte)) << 2);
    store<u32>(cell, load<u32>(cell) + <u32>sizeof<T>());
  }
}

/** Makes of the bytes of each value where its entries go, end to end from `target` on. */
export function placeCells(cells: usize, end: usize, target: usize): void {
  let goal = <u32>target;
  for (let cell = cells; cell < end; cell += 4) {
    const bytes = load<u32>(cell);
    store<u32>(cell, goal);
    goal += bytes;
  }
}

/** Moves entries where their bytes go. */
export function moveByByte<T>(source: usize, end: usize, byte: usize, cells: usize): void {
  for (let entry = source; entry < end; entry += sizeof<T>()) {
    const cell = cells + ((<usize>load<u8>(entry + byte)) << 2);
    const goal = load<u32>(cell);
    store<u32>(cell, goal + <u32>sizeof<T>());
    store<T>(<usize>goal, load<T>(entry));
  }
}

/** Sorts a few entries by the bits of their keys that are in a mask. */
export function insertKeys<T>(from: usize, to: usize, mask: u64): void {
  for (let entry = from + sizeof<T>(); entry < to; entry += sizeof<T>()) {
    const inserted = load<T>(entry);
    const key = load<u64>(entry) & mask;
    let hole = entry;
    for (; hole > from && (load<u64>(hole - sizeof<T>()) & mask) > key; hole -= sizeof<T>()) {
      store<T>(hole, load<T>(hole - sizeof<T>()));
    }
    store<T>(hole, inserted);
  }
}
