// Samples are a uniform draw without replacement from the URLs that a rule changes, whatever else is drawn.
import { describe, expect, it } from 'vitest';
import { attemptsOf, drawSamples, imageText } from '../../src/validate/sample.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { siteUrlsOf } from '../url-list.js';
import type { Rule } from '../../src/rule/rule.js';

const paths = Array.from({ length: 400 }, (_, k) => (k % 4 === 0 ? `/story_${k}` : `/page/${k}?sid=${k % 7}`));
const list = (urls: readonly string[]) => siteUrlsOf(urls.map((url) => ({ url })));
const options = { seed: 1, count: 50, pathOnly: false };

function draw(urls: readonly string[], rules: readonly Rule[], more: Partial<typeof options> = {}) {
  const attempts = rules.flatMap(attemptsOf);
  return drawSamples(list(urls), attempts, { ...options, ...more });
}

const story = sampleRule('story_', 'story?id=', { status: 'likely' });
const sid = sampleParameter('sid', { status: 'likely', value: '3' });

describe('samples', () => {
  it('are URLs that the rule changes, each once, and no more than asked for', () => {
    const [forward, backward, remove, set] = draw(paths, [story, sid], { count: 30 });
    expect(forward!.urls).toHaveLength(30);
    expect(new Set(forward!.urls).size).toBe(30);
    for (const url of forward!.urls) expect(imageText(attemptsOf(story)[0]!.compiled, url, false)).not.toBe(url);
    expect(backward!.urls).toEqual([]);
    expect(remove!.urls).toHaveLength(30);
    // `set` changes nothing where the value is there already.
    expect(set!.urls.every((url) => !url.endsWith('sid=3'))).toBe(true);
  });

  it('say whether they are exhaustive', () => {
    expect(draw(paths, [story], { count: 99 })[0]!.isExhaustive).toBe(false);
    expect(draw(paths, [story], { count: 100 })[0]!.isExhaustive).toBe(true);
    expect(draw(paths, [story], { count: 101 })[0]).toMatchObject({ isExhaustive: true });
    expect(draw(paths, [story], { count: 49 })[0]!.isExhaustive).toBe(false);
    expect(draw(paths, [story], { count: 49 })[0]!.urls).toHaveLength(49);
  });

  it('depend on the seed, but neither on the order of the list nor on other rules', () => {
    const [first] = draw(paths, [story]);
    expect(draw(paths.toReversed(), [story])[0]).toEqual(first);
    expect(draw(paths, [sid, story])[2]).toEqual(first);
    expect(draw(paths, [story], { count: 20 })[0]!.urls).toEqual(first!.urls.slice(0, 20));
    expect(draw(paths, [story], { seed: 2 })[0]!.urls).not.toEqual(first!.urls);
  });

  it('share their first URLs among rules, so that pages are fetched once', () => {
    const broad = sampleRule('/page/', '/p/', { status: 'likely' });
    const narrow = sampleRule('/page/', '/q/', { status: 'likely' });
    const [a, , b] = draw(paths, [broad, narrow]);
    expect(a!.urls).toEqual(b!.urls);
  });

  it('are drawn uniformly: over many seeds all URLs are about equally frequent', () => {
    const urls = Array.from({ length: 40 }, (_, k) => `/story_${k}`);
    const hits = new Map<string, number>();
    const seeds = 800;
    for (let seed = 0; seed < seeds; seed++) {
      for (const url of draw(urls, [story], { seed, count: 10 })[0]!.urls) hits.set(url, (hits.get(url) ?? 0) + 1);
    }
    // Each is expected 200 times, with a standard deviation of 12.2.
    expect(hits.size).toBe(40);
    for (const count of hits.values()) expect(Math.abs(count - 200)).toBeLessThan(5 * 12.3);
  });

  it('of path rules on absolute URLs start at the path', () => {
    const anchored = sampleRule('/a', '/', { anchor: 'both', status: 'likely' });
    expect(draw(['http://h/a', 'http://h/a/b'], [anchored])[0]!.urls).toEqual([]);
    expect(draw(['http://h/a', 'http://h/a/b'], [anchored], { pathOnly: true })[0]!.urls).toEqual(['http://h/a']);
  });
});
