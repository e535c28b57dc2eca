// A value to be set may read as more than a value, and end the parameter, the segment or the path that it is in. Then
// the rule finds its parameter again after it, and the law holds only if that is considered.
import { expect, test } from 'vitest';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { sampleParameter } from '../rule/sample.js';

test.each(['?s', 's/t', '?', '#s', 's;t', '../s'])('canonize(canonize(u)) = canonize(u) if %j is set', (value) => {
  const rule = sampleParameter('s', { action: 'set', value, site: '*' });
  const options = {
    normalize: 'safe',
    accept: 'valid',
    maxIterations: 10,
    urlForm: 'absolute',
    sitePolicy: 'host',
  } as const;
  const canonizer = createCanonizer([rule], options);
  for (const url of ['http://h/a;s=1/x', 'http://h/a;s=1', 'http://h/a?s=1', 'http://h/a;s=1/x?s=2']) {
    const once = canonizer.canonize(Buffer.from(url));
    expect(Buffer.from(canonizer.canonize(once)).toString()).toBe(Buffer.from(once).toString());
  }
});
