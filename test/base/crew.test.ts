// Threads run the output of `npm run build`: they cannot load TypeScript.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { Crew } from '../../src/base/crew.js';
import { UserError } from '../../src/base/error.js';
import { isFew } from '../amount.js';
import { scratchFolder } from '../cli/process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());

const dist = (path: string) => new URL(`../../dist/src/base/${path}`, import.meta.url).href;

function moduleOf(name: string, text: string): URL {
  const path = join(folder.path, `${name}.mjs`);
  writeFileSync(path, text);
  return pathToFileURL(path);
}

const echo = moduleOf(
  'echo',
  `import { serve } from '${dist('crew.js')}';
   import { UserError } from '${dist('error.js')}';
   import { threadId } from 'node:worker_threads';
   serve((task, send) => {
     if (task === 'refuse') throw new UserError('no room: expected some');
     if (task === 'break') throw new TypeError('a bug');
    if (task === 'end') process.exit();
    if (task.meet !== undefined) {
      const met = new Int32Array(task.meet);
      Atomics.add(met, 0, 1);
      Atomics.notify(met, 0);
      for (let here = Atomics.load(met, 0); here < task.of; here = Atomics.load(met, 0)) {
        if (Atomics.wait(met, 0, here, 20_000) === 'timed-out') throw new Error('waited alone');
      }
    }
     for (let until = performance.now() + task.ms; performance.now() < until; );
     for (let k = 0; k < task.parts; k++) send({ value: task.value, threadId });
   });`,
);
/** `meet`: the task continues only once `of` tasks are running. */
interface Echoing {
  readonly value: number;
  readonly ms: number;
  readonly parts: number;
  readonly meet?: SharedArrayBuffer;
  readonly of?: number;
}

type Echo = Echoing | 'refuse' | 'break' | 'end';
const crews: { stop(): void }[] = [];
afterEach(() => crews.splice(0).forEach((crew) => crew.stop()));

function echoCrew(threads: number): Crew<Echo, { value: number; threadId: number }> {
  const crew = new Crew<Echo, { value: number; threadId: number }>(threads, echo);
  crews.push(crew);
  return crew;
}

test('tasks made from the results of others are done too, even after the threads were idle', () => {
  const crew = echoCrew(3);
  const waiting = [{ value: 5, ms: 0, parts: 1 }];
  const got: number[] = [];
  let waits = 0;
  function* tasks() {
    for (;;) {
      const next = waiting.shift();
      if (next === undefined) waits++;
      yield next;
    }
  }
  crew.run(tasks(), ({ value }) => {
    got.push(value);
    for (let k = 0; k < value; k++) waiting.push({ value: k, ms: 1, parts: 1 });
  });
  // A task of value n leads to 2^n tasks, including itself.
  expect(got).toHaveLength(32);
  expect(waits).toBeGreaterThan(1);
});

test('every task is done once, in parallel, and the caller gets everything that the threads send', () => {
  const crew = echoCrew(3);
  const got: number[] = [];
  const by = new Set<number>();
  const meet = new SharedArrayBuffer(4);
  const tasks = Array.from({ length: 20 }, (_, value) => ({
    value,
    ms: 5,
    parts: value < 3 ? 1 : value % 3,
    ...(value < 3 && { meet, of: 3 }),
  }));
  crew.run(tasks, ({ value, threadId }) => {
    got.push(value);
    by.add(threadId);
  });
  const expected = tasks.flatMap(({ value, parts }) => Array.from({ length: parts }, () => value));
  expect(got.toSorted((a, b) => a - b)).toEqual(expected);
  expect(by.size).toBe(3);
});

test('tasks can be added while others are running', () => {
  const got: number[] = [];
  function* tasks(): Generator<Echo> {
    for (let value = 0; value < 10; value++) yield { value, ms: value === 0 ? 50 : 0, parts: 1 };
  }
  echoCrew(2).run(tasks(), ({ value }) => got.push(value));
  expect(got.at(-1)).toBe(0);
  expect(got).toHaveLength(10);
});

test.skipIf(isFew || !existsSync('/proc/self/task'))('a thread that dies during a task is noticed', () => {
  const crew = echoCrew(2);
  const tasks: Echo[] = [{ value: 1, ms: 0, parts: 1 }, 'end'];
  expect(() => crew.run(tasks, () => undefined)).toThrow(UserError);
  const got: number[] = [];
  crew.run([{ value: 3, ms: 0, parts: 2 }], ({ value }) => got.push(value));
  expect(got).toEqual([3, 3]);
});

test('a UserError of a thread is thrown here, a bug there is a bug here, and the crew can be used again', () => {
  const crew = echoCrew(2);
  const long: Echo = { value: 1, ms: 30, parts: 1 };
  expect(() => crew.run([long, 'refuse', long], () => undefined)).toThrow(new UserError('no room: expected some'));
  expect(() => crew.run(['break'], () => undefined)).toThrow(/a thread failed: TypeError: a bug\n.*echo\.mjs/);
  const got: number[] = [];
  crew.run([{ value: 7, ms: 0, parts: 2 }], ({ value }) => got.push(value));
  expect(got).toEqual([7, 7]);
});

test('a caller that throws leaves no task for the next one', () => {
  const crew = echoCrew(2);
  const tasks = Array.from({ length: 6 }, (_, value) => ({ value, ms: 1, parts: 1 }));
  expect(() =>
    crew.run(tasks, () => {
      throw new Error('enough');
    }),
  ).toThrow('enough');
  const got: number[] = [];
  crew.run([{ value: 9, ms: 0, parts: 1 }], ({ value }) => got.push(value));
  expect(got).toEqual([9]);
});

test('a long task continues during unrelated calls', () => {
  const crew = echoCrew(2);
  const long = crew.begin({ value: 1, ms: 60, parts: 2 });
  const by = new Set<number>();
  const got: number[] = [];
  for (let call = 0; call < 3; call++) {
    crew.run(
      [2, 3].map((value) => ({ value, ms: 1, parts: 1 })),
      ({ value, threadId }) => {
        got.push(value);
        by.add(threadId);
      },
    );
  }
  expect(got).toEqual([2, 3, 2, 3, 2, 3]);
  const sent = long.finish();
  expect(sent.map(({ value }) => value)).toEqual([1, 1]);
  expect(by.size).toBe(1);
  expect(by.has(sent[0]!.threadId)).toBe(false);
  expect(long.finish()).toBe(sent);
});

test('a long task that fails does so when it is awaited, or before', () => {
  const crew = echoCrew(2);
  const long = crew.begin('refuse');
  expect(() => {
    crew.run([{ value: 1, ms: 20, parts: 1 }], () => undefined);
    long.finish();
  }).toThrow(new UserError('no room: expected some'));
  expect(() => long.finish()).toThrow('threads were stopped');
  expect(crew.begin({ value: 4, ms: 0, parts: 1 }).finish()).toHaveLength(1);
});
