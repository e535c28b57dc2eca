// WACZ: the WARC files of a zip, as far as they are intact.
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../cli/process.js';
import { pack, record, shelfIn } from './compose.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const shelf = shelfIn(scratch.path);

interface Made {
  readonly name: string;
  readonly content: Uint8Array;
  readonly method?: number;
  readonly sum?: number;
  /** What the zip says that the decompressed size is. */
  readonly size?: number;
}

/** A zip with these entries (APPNOTE 4.3). */
function zip(entries: readonly Made[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 0, sum = crc32(content), size = content.length } of entries) {
    const data = method === 8 ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(sum, 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(size, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, Buffer.from(name), data]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, more, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

const warc = (...names: string[]) =>
  pack(
    names.map((name) => record({ url: `http://h.example/${name}`, body: `page ${name}` })),
    'by record',
  );

async function pagesOf(file: Buffer) {
  const archive = await shelf.open([file]);
  const urls: string[] = [];
  for await (const { capture } of archive.each()) urls.push(capture.url.replace('http://h.example/', ''));
  await archive.close();
  return {
    urls,
    damages: archive.damages.map(({ file: name, reason }) => `${name.replace(/^.*\/0\.warc/, '')}: ${reason}`),
  };
}

describe('a WACZ file', () => {
  test('has the pages of its WARC files, stored or deflated, and no others', async () => {
    const file = zip([
      { name: 'datapackage.json', content: Buffer.from('{}') },
      { name: 'archive/a.warc.gz', content: warc('1', '2') },
      { name: 'archive/b.warc', content: record({ url: 'http://h.example/3' }), method: 8 },
      { name: 'archive/../../c.warc.gz', content: warc('4') },
      { name: 'archive/d.txt', content: warc('5') },
    ]);
    expect(await pagesOf(file)).toEqual({ urls: ['1', '2', '3'], damages: [] });
  });

  test('keeps what is left of damaged entries, and says why that is not all', async () => {
    const large = Buffer.concat([warc('2'), Buffer.alloc(1 << 20)]);
    const file = zip([
      { name: 'archive/sum.warc.gz', content: warc('1'), sum: 7 },
      { name: 'archive/bomb.warc.gz', content: large, method: 8, size: warc('2').length },
      { name: 'archive/odd.warc.gz', content: warc('3'), method: 99 },
      { name: 'archive/no.warc.gz', content: Buffer.from('no WARC') },
      { name: 'archive/whole.warc.gz', content: warc('4') },
    ]);
    const { urls, damages } = await pagesOf(file);
    expect(urls).toEqual(['1', '4']);
    expect(damages).toHaveLength(4);
    expect(damages.join('\n')).toMatch(
      /check sum is another[^]*too many bytes[^]*compression method[^]*no WARC record/,
    );
  });

  test('that is cut anywhere ends the run with a message, or has some of its pages', async () => {
    const whole = zip([{ name: 'archive/a.warc.gz', content: warc('1', '2') }]);
    let refused = 0;
    for (let cut = 4; cut < whole.length; cut += 7) {
      await pagesOf(whole.subarray(0, cut)).catch((error: unknown) => {
        expect(error).toMatchObject({ message: expect.stringContaining('no pages in') });
        refused++;
      });
    }
    expect(refused).toBeGreaterThan(50);
  });

  test('without WARC files is refused', async () => {
    await expect(pagesOf(zip([]))).rejects.toThrow('expected archive/*.warc.gz');
    await expect(pagesOf(zip([{ name: 'x', content: readFileSync(new URL(import.meta.url)) }]))).rejects.toThrow(
      'no pages',
    );
  });
});
