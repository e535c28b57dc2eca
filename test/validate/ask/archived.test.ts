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

  test('are no targets where the log has redirects instead', async () => {
    expect(
      await dropsSlash(
        [...pages, ...feeds(100)],
        pages.map((url) => url.slice(0, -1)),
      ),
    ).toBe(false);
  });
});
