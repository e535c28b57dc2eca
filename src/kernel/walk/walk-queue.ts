// The work queue of a walk, shared by all threads. It is in the block of the walk.
//
// Large tasks come first, as they produce more tasks. Large and small tasks are two stacks (last in, first out). A
// thread that finds no task waits for the signal to change, as the working threads may add some; when no thread works,
// the walk is complete.
import { free, moved, lock, unlock } from '../memory/heap';

@unmanaged
class Queue {
  lock: i32;
  signal: i32;
  /** Number of unfinished tasks, and of waiting threads. */
  undone: i32;
  waiting: i32;
}

/** Tasks of one size, in a block. */
@unmanaged
class TaskList {
  at: usize;
  count: i32;
  room: i32;
}

@unmanaged
class Task {
  kind: i32;
  from: i32;
  to: i32;
  iLow: i32;
  iHigh: i32;
  side: i32;
}

const LOCK: usize = offsetof<Queue>('lock');
const SIGNAL: usize = offsetof<Queue>('signal');
const UNDONE: usize = offsetof<Queue>('undone');
const WAITING: usize = offsetof<Queue>('waiting');
/** The lists follow the numbers. */
export const LARGE: usize = offsetof<Queue>();
export const SMALL: usize = LARGE + offsetof<TaskList>();

const TASK: usize = offsetof<Task>();
const FIRST_ROOM: i32 = 16;
/** A waiting thread checks again after so many nanoseconds at the latest. */
const WAIT: i64 = 100000000;

/** The current task of this thread. */
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
  const task = placeFor(changetype<TaskList>(queue + list));
  task.kind = itsKind;
  task.from = itsFrom;
  task.to = itsTo;
  task.iLow = itsLow;
  task.iHigh = itsHigh;
  task.side = itsSide;
  atomic.add<i32>(queue + UNDONE, 1);
  unlock(queue + LOCK);
  if (atomic.load<i32>(queue + WAITING) > 0) signal(queue, 1);
}

function placeFor(list: TaskList): Task {
  let at = list.at;
  const count = list.count;
  const room = list.room;
  if (count == room) {
    const wider = max(2 * room, FIRST_ROOM);
    at = moved(at, <usize>count * TASK, <usize>wider * TASK);
    list.at = at;
    list.room = wider;
  }
  list.count = count + 1;
  return changetype<Task>(at + <usize>count * TASK);
}

/** Takes the next task; waits if there is none yet. False when all are done. */
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
  const isTaken = takeFrom(changetype<TaskList>(queue + LARGE)) || takeFrom(changetype<TaskList>(queue + SMALL));
  unlock(queue + LOCK);
  return isTaken;
}

function takeFrom(list: TaskList): bool {
  const count = list.count - 1;
  if (count < 0) return false;
  list.count = count;
  const task = changetype<Task>(list.at + <usize>count * TASK);
  kind = task.kind;
  from = task.from;
  to = task.to;
  iLow = task.iLow;
  iHigh = task.iHigh;
  side = task.side;
  return true;
}

/** Call this when a task is done, and the tasks that it produced have been added. */
export function endTask(queue: usize): void {
  if (atomic.sub<i32>(queue + UNDONE, 1) == 1) signal(queue, -1);
}

export function closeQueue(queue: usize): void {
  free(changetype<TaskList>(queue + LARGE).at);
  free(changetype<TaskList>(queue + SMALL).at);
}

function signal(queue: usize, threads: i32): void {
  atomic.add<i32>(queue + SIGNAL, 1);
  atomic.notify(queue + SIGNAL, threads);
}
