// Whether a master answers is known before Spark starts, or by the first of its complaints.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressesOf, MasterWatch, refuseUnreachable } from '../../../../src/cli/run/spark/master.js';

test.each([
  ['spark://head:7077', [{ host: 'head', port: 7077 }]],
  [
    'spark://a:1,b:2',
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
  ],
  ['spark://head', [{ host: 'head', port: 7077 }]],
  ['spark://[::1]:7077', [{ host: '::1', port: 7077 }]],
  ['k8s://https://api.example:6443', [{ host: 'api.example', port: 6443 }]],
  ['k8s://api.example', [{ host: 'api.example', port: 443 }]],
  ['spark://head:99999', []],
  ['yarn', []],
  ['local[4]', []],
  ['', []],
])('the addresses of %s', (master, addresses) => {
  expect(addressesOf(master)).toEqual(addresses);
});

describe('a master', () => {
  let open: Server;
  let [taken, free] = [0, 0];
  beforeAll(async () => {
    open = createServer().listen(0, '127.0.0.1');
    const closed = createServer().listen(0, '127.0.0.1');
    await Promise.all([once(open, 'listening'), once(closed, 'listening')]);
    [taken, free] = [open, closed].map((server) => (server.address() as AddressInfo).port) as [number, number];
    await new Promise((resolve) => closed.close(resolve));
  });
  afterAll(() => open.close());

  test('at whose address nothing listens is refused, with what was lost', async () => {
    await expect(refuseUnreachable(`spark://127.0.0.1:${free}`, 'No rules were written')).rejects.toThrow(
      `the Spark master spark://127.0.0.1:${free} cannot be reached (ECONNREFUSED); expected the address of a running ` +
        'cluster, by --spark-master. No rules were written.',
    );
  });

  test('that takes connections is not, nor one of two, nor one without an address', async () => {
    await refuseUnreachable(`spark://127.0.0.1:${taken}`, '');
    await refuseUnreachable(`spark://127.0.0.1:${free},127.0.0.1:${taken}`, '');
    await refuseUnreachable('local[2]', '');
    await refuseUnreachable(undefined, '');
  });
});

describe('what Spark says', () => {
  const failed = (server: string) =>
    `26/11/28 12:00:00 WARN StandaloneAppClient$ClientEndpoint: Failed to connect to master ${server}`;
  const retried = (times: number) =>
    `26/11/28 12:00:00 INFO Client: Retrying connect to server: rm/10.0.0.1:8032. Already tried ${times} time(s); retry`;

  test('ends the wait once no master is left', () => {
    expect(new MasterWatch(undefined).silent(failed('head:7077'))).toBe('head:7077');
    const two = new MasterWatch('spark://a:1,b:2');
    expect([two.silent(failed('a:1')), two.silent(failed('a:1')), two.silent(failed('b:2'))]).toEqual([
      undefined,
      undefined,
      'b:2',
    ]);
  });

  test('ends it for YARN after some tries', () => {
    const watch = new MasterWatch('yarn');
    expect([0, 1, 2, 3, 4].map((times) => watch.silent(retried(times)))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'rm/10.0.0.1:8032',
    ]);
    expect(watch.silent('26/11/28 12:00:00 INFO SparkContext: Running Spark version 3.5.9')).toBe(undefined);
  });
});
