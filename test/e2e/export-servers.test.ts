// Real nginx, Apache and Varnish, each with the file that was exported for it: does every URL end where `canonize` leads it?
// Runs where they are installed; .ci/run installs them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exported, Target } from '../../src/export/target.js';
import { loadTarget } from '../../src/export/targets.js';
import { compare, requestable } from './export-agreement.js';
import { cases } from './export-rules.js';
import { hasApache, hasNginx, hasVarnish, servers, type Server } from './export-servers.js';
import { manyUrls, traps } from './export-urls.js';

const installed = { nginx: hasNginx, apache: hasApache, varnish: hasVarnish };
const isWanted = process.env['DUSTBUSTER_E2E'] === '1';
const missing = Object.entries(installed).filter(([, isThere]) => !isThere);
if (isWanted && missing.length > 0) {
  throw new Error('DUSTBUSTER_E2E=1 asks for servers: install nginx-light, apache2-bin and varnish');
}

describe.each(Object.entries(installed))('%s with the rules of an export', { timeout: 120_000 }, (name, isThere) => {
  describe.skipIf(!isThere).each(Object.entries(cases))('for %s URLs', (_, { request, urls, left }) => {
    let target: Target;
    let exported: Exported;
    let server: Server;

    beforeAll(async () => {
      target = (await loadTarget(name))!;
      exported = target.write(request);
      server = await servers.get(name)!(exported.text);
    }, 60_000);
    afterAll(() => server.stop());

    it('leads every URL to its canonical form, in one redirect', async () => {
      const list = requestable(urls, request);
      const wanted = requestable([...manyUrls(list, request.rules, 800), ...list.flatMap(withTraps)], request);
      const { differences, asked, moved, mostRedirects } = await compare(server, exported, request, wanted);
      expect(differences).toEqual([]);
      expect(asked).toBeGreaterThan(900);
      expect(moved).toBeGreaterThan(asked / 2);
      expect(mostRedirects).toBe(1);
    });

    it('carries all rules that cannot lead in a circle', () => {
      expect(exported.left.map(({ rule }) => (rule.kind === 'substring' ? rule.from : rule.name))).toEqual(left);
      expect(exported.carried.length + left.length).toBe(request.rules.length);
    });
  });
});

function withTraps(url: string): readonly string[] {
  return traps.map((trap) => url + trap);
}
