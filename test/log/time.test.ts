import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTime } from '../../src/log/time.js';

function timeOf(text: string): number {
  const bytes = Buffer.from(`1${text}1`); // the text around it is not read
  return readTime(bytes, 1, bytes.length - 1);
}

test.each([
  ['10/Oct/2000:13:55:36 -0700', '2000-10-10T20:55:36.000Z'],
  ['[10/Oct/2000:13:55:36 -0700]', '2000-10-10T20:55:36.000Z'],
  ['10/Oct/2000 13:55:36.250 +0200', '2000-10-10T11:55:36.250Z'],
  ['29/feb/2024:00:00:00 +0530', '2024-02-28T18:30:00.000Z'],
  ['06/Feb/2009:12:14:14.655', '2009-02-06T12:14:14.655Z'],
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00+01', '2026-11-21T09:00:00.000Z'],
  ['2026-11-21T10:00:00.123456+01:00', '2026-11-21T09:00:00.123Z'],
  ['2026-11-21T10:00:00,9-0130', '2026-11-21T11:30:00.900Z'],
  ['2026-11-21 10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21 10:00:00.5 UTC', '2026-11-21T10:00:00.500Z'],
  ['2026-11-21\t10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026/11/21 10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['"2026-11-21"', '2026-11-21T00:00:00.000Z'],
  ['20261121', '2026-11-21T00:00:00.000Z'],
  ['20090514142101', '2009-05-14T14:21:01.000Z'],
  ['20090514142101026', '2009-05-14T14:21:01.026Z'],
  ['1699999999', '2023-11-14T22:13:19.000Z'],
  ['1699999999.1239', '2023-11-14T22:13:19.123Z'],
  ['1699999999123', '2023-11-14T22:13:19.123Z'],
  ['1699999999123456', '2023-11-14T22:13:19.123Z'],
  ['1699999999123456789', '2023-11-14T22:13:19.123Z'],
])('%s is %s', (text, iso) => {
  const found = timeOf(text);
  expect(Number.isNaN(found) ? 'none' : new Date(found).toISOString()).toBe(iso);
});

test.each([
  '',
  '-',
  '10',
  '13:55:36',
  '10/Okt/2000:13:55:36 -0700',
  '32/Oct/2000:13:55:36 -0700',
  '29/Feb/2023:13:55:36 -0700',
  '29/Feb/1900:13:55:36 -0700',
  '10/Oct/2000:25:55:36 -0700',
  '10/Oct/2000:13:60:36 -0700',
  '10/Oct/2000:13:55:36 -07000',
  '10/Oct/2000:13:55:36 CEST',
  '10/Oct/2000:13:5',
  '10/Oct/2000x13:55:36',
  '2026-13-21',
  '2026-11-21T',
  '2026-11-2',
  '2026-11/21',
  '2026-11-21x10:00:00',
  '2026-11-21T10:00:00 now',
  '20261321',
  '20090514142199',
  '1.699999999e9',
  '169999999912345678901',
  'yesterday at noon',
])('%j is not a time', (text) => {
  expect(timeOf(text)).toBeNaN();
});

const anyTime = fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true });

test('every time is read back from each way of writing it', () => {
  const pad = (value: number, width = 2) => String(value).padStart(width, '0');
  fc.assert(
    fc.property(anyTime, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, zone) => {
      const local = new Date(date.getTime() + zone * 60_000).toISOString();
      const [year, month, day] = local.slice(0, 10).split('-');
      const name = new Date(`${local.slice(0, 10)}T00:00:00Z`).toUTCString().slice(8, 11);
      const minutes = Math.abs(zone);
      const offset = `${zone < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
      const seconds = Math.floor(date.getTime() / 1000) * 1000;
      expect(timeOf(date.toISOString())).toBe(date.getTime());
      expect(timeOf(`${local.slice(0, -1)}${offset}`)).toBe(date.getTime());
      expect(timeOf(`${day}/${name}/${year}:${local.slice(11, 19)} ${offset}`)).toBe(seconds);
      expect(timeOf(`${date.toISOString().replace(/\D/g, '')}`)).toBe(date.getTime());
      expect(month).toBeDefined();
    }),
  );
});

test('it never throws, and does not read past the range', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ maxLength: 12 }), (bytes, behind) => {
      const alone = readTime(bytes, 0, bytes.length);
      expect(readTime(Buffer.concat([bytes, Buffer.from(behind)]), 0, bytes.length)).toEqual(alone);
    }),
  );
  for (const text of ['10/Oct/2000:13:55:36 -0700', '2026-11-21T10:00:00.123+01:00', '1699999999.123']) {
    for (let length = 0; length < text.length; length++) {
      const whole = Buffer.from(text);
      expect(readTime(whole, 0, length)).toEqual(readTime(whole.subarray(0, length), 0, length));
    }
  }
});
