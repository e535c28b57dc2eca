import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createConnector,
  createGuard,
  isPublicAddress,
  isRefusedHost,
  PrivateAddress,
} from '../../../src/validate/live/guard.js';
import { targetOf } from '../../../src/validate/live/target.js';
import { byPath, closeSources, listen, redirect, serve, SITE, sourceOf, type Site } from './site.js';

const sites: Site[] = [];

async function siteOf(...args: Parameters<typeof serve>): Promise<Site> {
  const site = await serve(...args);
  sites.push(site);
  return site;
}

afterEach(async () => {
  await closeSources();
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

describe('addresses of the open internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '192.167.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(['168.63.129.15', '168.63.129.17', '161.25.255.255', '166.12.0.1'])(
    '%s, beside one of a cloud, is',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('addresses that are never connected to', () => {
  it.each([
    ['this network', ['0.0.0.0', '0.1.2.3', '::']],
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
    [
      'link-local, the metadata service of clouds among them',
      ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
    ],
    ['networks of providers', ['100.64.0.1', '100.127.255.255']],
    [
      'what clouds keep at addresses that look public',
      ['168.63.129.16', '161.26.0.7', '166.8.1.1', '166.11.255.254', '::ffff:168.63.129.16', '64:ff9b::a83f:8110'],
    ],
    ['unique local ones, deprecated site-local ones', ['fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'fec0::1']],
    ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
    [
      'documentation and benchmarks',
      ['192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '2001:db8::1', '3fff::1'],
    ],
    ['reserved ones', ['192.0.0.1', '240.0.0.1', '192.88.99.1', '100::1', '5f00::1']],
    [
      'mapped ones that carry a private one',
      ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
    ],
    ['translated ones that do', ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '::ffff:0:10.0.0.1']],
    ['IPv4-compatible ones', ['::127.0.0.1', '::a00:1', '::808:808']],
    [
      '6to4 and Teredo, whatever they carry',
      ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1', '2001:0:5ef5:79fb::1'],
    ],
    ['what is not given out', ['4000::1', '1::1', 'e000::1']],
    ['what is no address', ['', 'localhost', '1.2.3.4.5', 'example.com']],
  ])('%s', (_name, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

describe('hosts that are private in every spelling', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.localhost.',
    '.',
    '%6cocalhost',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '0xa9fea9fe',
    '169.254.169.254',
    '3232235777',
  ])('http://%s/', async (host) => {
    const source = sourceOf({ allowPrivate: false, isInside: () => true });
    const target = targetOf(`http://${host}/`);
    expect(typeof target === 'string' || isRefusedHost(target.host, isPublicAddress)).toBe(true);
    expect(source.refusal(`http://${host}:8080/a`, SITE)).toBe('private-address');
    expect(await source.fetch(`http://${host}:8080/a`, SITE)).toEqual({
      kind: 'unavailable',
      reason: 'private-address',
    });
    expect(source.requests).toBe(0);
  });

  it('are requested if the user allows it', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    const source = sourceOf({ isInside: () => true });
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1']) {
      expect(await source.fetch(`http://${host}:${site.port}/a`, SITE)).toMatchObject({ kind: 'page' });
    }
    expect(site.paths).toEqual(['/a']);
  });
});

describe('a name of a private address', () => {
  it('is refused on connecting, and the host is not tried again', async () => {
    const site = await siteOf(byPath({ '/a': 'x', '/b': 'y' }));
    let lookups = 0;
    const source = sourceOf({ allowPrivate: false, lookup: async () => (lookups++, ['127.0.0.1']) });
    for (const path of ['/a', '/b', '/c']) {
      expect(source.refusal(site.origin() + path, SITE)).toBeUndefined();
      expect(await source.fetch(site.origin() + path, SITE)).toMatchObject({
        kind: 'unavailable',
        reason: 'private-address',
      });
    }
    // Another port is the same host.
    expect(await source.fetch('http://www.site.test:8080/', SITE)).toMatchObject({ reason: 'private-address' });
    expect(site.connections.size).toBe(0);
    expect(source.requests).toBe(0);
    expect(lookups).toBe(1);
  });

  it('is refused in every form in which the resolver may return it', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    for (const address of ['::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::']) {
      const source = sourceOf({ allowPrivate: false, lookup: async () => [address] });
      expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ reason: 'private-address' });
    }
    expect(site.connections.size).toBe(0);
  });

  it('is not reached by DNS rebinding: each connection is checked by what it resolved itself', async () => {
    const site = await siteOf(byPath({ '/a': 'x', '/b': 'y' }));
    // First a public address that cannot be reached in time.
    const answers = [['240.0.0.1', '2a00::1'], ['127.0.0.1']];
    const lookup = async () => answers.shift()!;
    const source = sourceOf({ allowPrivate: false, lookup, connectMs: 50 });
    const [first, second] = [`${site.origin()}/a`, `${site.origin('www.site.test.')}/b`];
    expect(await source.fetch(first, SITE)).toMatchObject({ reason: expect.stringMatching('network|time-out') });
    expect(await source.fetch(second, SITE.replace(/$/, '.'))).toMatchObject({ reason: 'private-address' });
    expect(site.connections.size).toBe(0);
    expect(answers).toEqual([]);
  });

  it('is refused after a redirect, as a name and as an address', async () => {
    const site = await siteOf(
      byPath({
        '/u': (request, response) => redirect(`//inner.site.test:${request.socket.localPort}/`)(request, response),
        '/v': redirect('http://10.0.0.1/'),
        '/w': redirect('http://0xa9fea9fe/latest/meta-data/'),
      }),
    );
    const lookup = async (host: string) => [host.startsWith('inner.') ? '127.0.0.2' : '127.0.0.1'];
    const source = sourceOf({ allowPrivate: ['127.0.0.1/32'], isInside: () => true, lookup });
    for (const path of ['/u', '/v', '/w']) {
      const result = await source.fetch(site.origin() + path, SITE);
      expect(result).toMatchObject({ kind: 'unavailable', reason: 'private-address' });
    }
    expect(site.paths).toEqual(['/u', '/v', '/w']);
  });
});

describe('private networks that the user allows', () => {
  it('are those named, and no others', () => {
    const guard = createGuard(['10.1.0.0/16', '192.168.7.7', 'fd00::/64', '::1']);
    const passed = ['10.1.2.3', '192.168.7.7', 'fd00::5', '::1', '::ffff:10.1.0.1', '8.8.8.8'];
    const refused = ['10.2.0.1', '192.168.7.8', 'fd00:0:0:1::1', '127.0.0.1', '::ffff:10.2.0.1', '', 'x'];
    expect([...passed, ...refused].filter(guard)).toEqual(passed);
    expect(['localhost', '[::1]', '127.0.0.1'].map((host) => isRefusedHost(host, guard))).toEqual([false, false, true]);
  });

  it.each(['', 'intranet', '10.0.0.0/40', '10.0.0/8/8'])('cannot be %j', (text) => {
    expect(() => createGuard([text])).toThrow('network');
  });
});

describe('the connector', () => {
  const to = { host: 'www.site.test', hostname: 'www.site.test', protocol: 'http:', port: '80' };

  function tryConnect(options: Parameters<typeof createConnector>[0], target = to): Promise<unknown> {
    return new Promise((resolve) => {
      createConnector(options)(target, (error, socket) => {
        resolve(error ?? 'connected');
        socket?.destroy();
      });
    });
  }

  it('passes only the public ones of several addresses to the connection', async () => {
    const lookup = async () => ['127.0.0.1', '10.0.0.1', '::1'];
    expect(await tryConnect({ lookup, guard: isPublicAddress, connectMs: 1000 })).toBeInstanceOf(PrivateAddress);
    // One public address (of a network without a route) among them: the private ones are not tried instead.
    const server = createServer();
    const port = await listen(server);
    let accepted = 0;
    server.on('connection', () => accepted++);
    const mixed = async () => ['127.0.0.1', '240.0.0.1', '2a00::1'];
    const outcome = await tryConnect(
      { lookup: mixed, guard: isPublicAddress, connectMs: 100 },
      { ...to, port: String(port) },
    );
    expect(outcome).toBeInstanceOf(Error);
    expect(accepted).toBe(0);
    // The same server can be reached at all.
    await new Promise<void>((done) => connect(port, '127.0.0.1', done).once('close', done));
    server.close();
    server.closeAllConnections();
  });

  it('refuses an address without looking it up', async () => {
    const target = { ...to, host: '127.0.0.1', hostname: '127.0.0.1' };
    expect(await tryConnect({ guard: isPublicAddress, connectMs: 1000 }, target)).toBeInstanceOf(PrivateAddress);
  });

  it('checks the remote address again once it is connected', async () => {
    const site = await siteOf(byPath({}));
    const asked: string[] = [];
    const guard = (address: string) => asked.push(address) === 1;
    const target = { ...to, port: String(site.port) };
    const outcome = await tryConnect({ lookup: async () => ['127.0.0.1'], guard, connectMs: 1000 }, target);
    expect(outcome).toBeInstanceOf(PrivateAddress);
    expect(asked).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(site.requests).toEqual([]);
  });

  it('passes on errors of the resolver', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const lookup = () => Promise.reject(failure);
    expect(await tryConnect({ lookup, guard: isPublicAddress, connectMs: 1000 })).toBe(failure);
    expect(await tryConnect({ lookup: async () => [], guard: () => true, connectMs: 1000 })).toMatchObject({
      code: 'ENOTFOUND',
    });
  });
});
