// Which names are addresses of a lake, and what is said of them.
import { expect, test } from 'vitest';
import { realEffects } from '../../src/base/effects.js';
import { addressesOf, isAddress, refuseAddress } from '../../src/log/address.js';
import { findInputs } from '../../src/log/inputs.js';

test.each([
  ['s3a://bucket/x.log', true],
  ['S3://bucket/x', true],
  ['hdfs:///logs/*.gz', true],
  ['gs://b/x', true],
  ['abfss://c@a.dfs.core.windows.net/x', true],
  ['file:///data/x', true],
  ['http://h/x', false],
  ['logs/s3a://x', false],
  ['s3a:/x', false],
  ['access.log', false],
  ['-', false],
])('%s: %s', (name, expected) => {
  expect(isAddress(name)).toBe(expected);
});

test('a run on this machine says how to read an address, before it reads anything', async () => {
  const advice = 'expected mine or canonize with --engine spark, which reads it through Spark';
  await expect(findInputs(['s3a://b/x'], realEffects())).rejects.toThrow(
    `s3a://b/x: is an address, and this run reads`,
  );
  expect(() => refuseAddress('hdfs:///x')).toThrow(`${advice}, or a copy of the file here`);
  expect(() => refuseAddress('s3://b/x')).toThrow(`${advice} as s3a://…, or a copy`);
  expect(() => refuseAddress('access.log')).not.toThrow();
});

test('Spark takes addresses, none of them in its old name, and no files beside them', () => {
  expect(addressesOf(['s3a://b/x', 'hdfs:///y'])).toEqual(['s3a://b/x', 'hdfs:///y']);
  expect(addressesOf(['access.log'])).toEqual([]);
  expect(() => addressesOf(['s3://b/x'])).toThrow('s3://b/x: expected it as s3a://…, which Spark reads');
  expect(() => addressesOf(['s3a://b/x', 'access.log'])).toThrow('got the file access.log beside addresses');
});
