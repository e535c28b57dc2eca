// The records of the sweep: layout/sweep draws them.

/** A line that a rule may change. Its rules follow. */
@unmanaged
export class Found {
  start: usize;
  /** 0 if the line is not plain. */
  end: usize;
  path: usize;
  group: i32;
  rules: u32;

  /** How many rules follow, and which. */
  get list(): usize {
    return changetype<usize>(this) + offsetof<Found>('rules');
  }
}

/** The same once its canonical form is known: minus where the form begins, and where it ends. */
@unmanaged
export class Settled {
  start: usize;
  end: usize;
  minusForm: i32;
  formEnd: usize;
}

/** The form of a round. */
@unmanaged
export class Form {
  start: usize;
  end: usize;
}

/** A change: the round, and the rule that made it. */
@unmanaged
export class Change {
  round: usize;
  rule: u32;
}

/** What the rules that are filed under a byte have in common. */
@unmanaged
export class OfByte {
  group: i32;
  /** How to look up the byte: one of the numbers in look, or 0 if that is not determined yet. */
  how: u8;
  /** The byte that must follow. */
  following: u8;
  /** The last URL that it was looked up for. */
  lastUrl: u64;
}

/** A slot of the lookup: the rules with this key. */
@unmanaged
export class Slot {
  key: i32;
  /** -1 if the slot is free. */
  list: i32;
}

/** Where the text of a rule begins; it ends where the next begins. */
@unmanaged
export class Bounds {
  start: u32;
  end: u32;
}
