// What is there to do in a walk, and what comes first? Threads take tasks from one queue, which lies in the block of the walk.
//
//   the queue   | lock | signal | tasks that are not done | threads that wait | large: at, count, room | small: at, count, room |, i32 each
//   a task      | kind | from | to | i | iHigh | side |
//
// Large tasks come first, as more to do comes of them; of both those that came last. Threads that find none wait for the signal
// to change: more comes while others are at work, and once nobody is all is done.
import { free, moved } from '../memory/heap';
import { lock, unlock } from '../memory/lock';

const LOCK: usize = 0;
const SIGNAL: usize = 4;
const UNDONE: usize = 8;
const WAITING: usize = 12;
export const LARGE: usize = 16;
export const SMALL: usize = 28;

const TASK: usize = 24;
const FIRST_ROOM: i32 = 16;
/** Who waits looks again after so many nanoseconds in any case. */
const WAIT: i64 = 100000000;

/** The task that this thread has. */
export let kind: i32 = 0;
export let from: i32 = 0;
export let to: i32 = 0;
export let iLow: i32 = 0;
export let iHigh: i32 = 0;
export let side: i32 = 0;

/** Adds a task. */
export function addTask(
  queue: usize,
  list: usize,
  itsKind: i32,
  itsFrom: i32,
  itsTo: i32,
  itsLow: i32,
  itsHigh: i32,
  itsSide: i32,
): void {
  lock(queue + LOCK);
  const task = placeFor(queue + list);
  store<i32>(task, itsKind);
  store<i32>(task, itsFrom, 4);
  store<i32>(task, itsTo, 8);
  store<i32>(task, itsLow, 12);
  store<i32>(task, itsHigh, 16);
  store<i32>(task, itsSide, 20);
  atomic.add<i32>(queue + UNDONE, 1);
  unlock(queue + LOCK);
  if (atomic.load<i32>(queue + WAITING) > 0) signal(queue, 1);
}

function placeFor(list: usize): usize {
  let at = <usize>load<u32>(list);
  const count = load<i32>(list, 4);
  const room = load<i32>(list, 8);
  if (count == room) {
    const wider = max(2 * room, FIRST_ROOM);
    at = moved(at, <usize>count * TASK, <usize>wider * TASK);
    store<u32>(list, <u32>at);
    store<i32>(list, wider, 8);
  }
  store<i32>(list, count + 1, 4);
  return at + <usize>count * TASK;
}

/** Takes the next task; waits where there is none yet. False when all are done. */
export function takeTask(queue: usize): bool {
  atomic.add<i32>(queue + WAITING, 1);
  let seen = atomic.load<i32>(queue + SIGNAL);
  let isTaken = tryToTake(queue);
  while (!isTaken && atomic.load<i32>(queue + UNDONE) > 0) {
    atomic.wait<i32>(queue + SIGNAL, seen, WAIT);
    seen = atomic.load<i32>(queue + SIGNAL);
    isTaken = tryToTake(queue);
  }
  atomic.sub<i32>(queue + WAITING, 1);
  return isTaken;
}

function tryToTake(queue: usize): bool {
  lock(queue + LOCK);
  const isTaken = takeFrom(queue + LARGE) || takeFrom(queue + SMALL);
  unlock(queue + LOCK);
  return isTaken;
}

function takeFrom(list: usize): bool {
  const count = load<i32>(list, 4) - 1;
  if (count < 0) return false;
  store<i32>(list, count, 4);
  const task = <usize>load<u32>(list) + <usize>count * TASK;
  kind = load<i32>(task);
  from = load<i32>(task, 4);
  to = load<i32>(task, 8);
  iLow = load<i32>(task, 12);
  iHigh = load<i32>(task, 16);
  side = load<i32>(task, 20);
  return true;
}

/** A task that was taken is done, and what came of it has been added. */
export function endTask(queue: usize): void {
  if (atomic.sub<i32>(queue + UNDONE, 1) == 1) signal(queue, -1);
}

export function closeQueue(queue: usize): void {
  free(<usize>load<u32>(queue + LARGE));
  free(<usize>load<u32>(queue + SMALL));
}

function signal(queue: usize, threads: i32): void {
  atomic.add<i32>(queue + SIGNAL, 1);
  atomic.notify(queue + SIGNAL, threads);
}
