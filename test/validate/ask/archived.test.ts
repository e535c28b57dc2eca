// An archive has some pages of a site. What it lacks says nothing, and what it has is no fair sample.
import { describe, expect, test } from 'vitest';
import type { FunctionSite } from '../function-source.js';
import { ask, many } from './asked.js';

/** Redirects /a to /a/, which the archive does not have; a few feeds answer both ways. */
const site: FunctionSite = (url) => {
  const [, name, slash] = /^http:\/\/h\/(\w+)(\/?)$/.exec(url) ?? [];
  if (name === undefined) return null;
  return slash === '' && !name.startsWith('feed') ? null : name;
};
const pages = many(200, (k) => `http://h/page${k}/`);
const feeds = (count: number) => many(count, (k) => [`http://h/feed${k}`, `http://h/feed${k}/`]).flat();

const dropsSlash = async (urls: readonly string[], redirected: readonly string[] = []) => {
  const { answer } = await ask(site, urls, { redirected, name: 'warc' });
  return answer.accepted.some(
    (rule) => rule.kind === 'step' && rule.step === 'drop-end-slash' && rule.only === undefined,
  );
};

describe('pages of an archive', () => {
  test('do not speak for those that it lacks, unless they are enough', async () => {
    expect(await dropsSlash([...pages, ...feeds(8)])).toBe(false);
    expect(await dropsSlash([...pages, ...feeds(100)])).toBe(true);
  });

  test('prove a rule where they are, and say nothing of a kind of page whose images they lack', async () => {
    const files: FunctionSite = (url) => {
      const [, kind, name, at] = /^http:\/\/h\/(blob|history)\/(\w+)(\?at=\w+)?$/.exec(url) ?? [];
      if (name === undefined || (kind === 'history' && at === undefined)) return null;
      return kind === 'blob' ? name : `${kind} ${name} ${at}`;
    };
    const blobs = many(60, (k) => [`http://h/blob/f${k}`, `http://h/blob/f${k}?at=c${k % 3}`]).flat();
    const histories = many(60, (k) => `http://h/history/f${k}?at=c${k % 3}`);
    const { answer } = await ask(files, [...blobs, ...histories], { name: 'warc' });
    const [rule] = answer.accepted.filter((one) => one.kind === 'parameter' && one.name === 'at');
    expect(rule).toMatchObject({ action: 'remove', not: [{ part: 'first', is: 'history' }] });
  });

  test('are no targets where the log has redirects instead', async () => {
    expect(
      await dropsSlash(
        [...pages, ...feeds(100)],
        pages.map((url) => url.slice(0, -1)),
      ),
    ).toBe(false);
  });
});
