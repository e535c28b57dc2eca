// What would a crawler have stored? Requests every URL that the log of a running site has with 200, and writes the
// responses as they came, redirects too, as a WARC for `--pages`.
//
//   node dist/test/bench/sites/pages.js LOG OUT.warc.gz [BASE]
import { createWriteStream, renameSync } from 'node:fs';
import { once } from 'node:events';
import { WARCRecord, WARCSerializer } from 'warcio';
import { askFor, closeAll, type Answer } from './ask.js';
import { eachAtOnce } from './each-at-once.js';
import { shownIn } from './logged.js';

const [log, path, base = ''] = process.argv.slice(2);
if (log === undefined || path === undefined) throw new Error('got too little, expected LOG and OUT.warc.gz');
const out = createWriteStream(`${path}.part`);
let [written, gone] = [0, 0];
await eachAtOnce(4, await shownIn(log, base), async (url) => {
  const answer = await askFor(url);
  if (answer === null) {
    gone++;
    return;
  }
  const bytes = await recordOf(answer);
  written++;
  if (!out.write(bytes)) await once(out, 'drain');
});
out.end();
await once(out, 'finish');
await closeAll();
renameSync(`${path}.part`, path);
console.log(`${written} pages, ${gone} URLs without an answer`);

async function recordOf(answer: Answer): Promise<Uint8Array> {
  const httpHeaders: [string, string][] = [];
  for (let k = 0; k + 1 < answer.headers.length; k += 2) {
    const [name, value] = [answer.headers[k]!, answer.headers[k + 1]!];
    // The body is written complete and decoded.
    if (!/^(transfer-encoding|content-encoding|content-length)$/i.test(name)) httpHeaders.push([name, value]);
  }
  const record = WARCRecord.create(
    {
      url: answer.url,
      date: new Date().toISOString(),
      type: 'response',
      statusline: `HTTP/1.1 ${answer.status} ${answer.status === 200 ? 'OK' : 'Other'}`,
      httpHeaders: [...httpHeaders, ['Content-Length', String(answer.body.length)]],
      keepHeadersCase: true,
    },
    (async function* () {
      yield answer.body;
    })(),
  );
  return await WARCSerializer.serialize(record, { gzip: true });
}
