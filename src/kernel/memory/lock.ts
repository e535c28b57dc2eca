// A mutex (like a futex) for short critical sections: a word in the heap, 1 while a thread holds it.

/** A waiting thread checks again after so many nanoseconds at the latest. */
const WAIT: i64 = 1000000;

export function lock(word: usize): void {
  while (atomic.cmpxchg<i32>(word, 0, 1) != 0) atomic.wait<i32>(word, 1, WAIT);
}

export function unlock(word: usize): void {
  atomic.store<i32>(word, 0);
  atomic.notify(word, 1);
}
