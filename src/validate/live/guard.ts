// May this address be connected to? Log lines are written by strangers, so a name in one may lead into the network that
// dustbuster runs in: to a router, a database, the metadata service of a cloud.
//
//   name ──lookup──▶ addresses ──only public ones──▶ connect ──▶ is the other end public? ──▶ request
//
// The name is resolved once, by the connection itself, and only what passed is connected to: there is no moment between
// a check and a use in which a name server could change its mind. Public is what the registries hand out for the open
// internet, so a range that is not known to be public is refused. An address that carries an IPv4 address inside is
// public if that one is; of those only mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96) are let through at all.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { UserError } from '../../base/error.js';

/** All addresses of a host name; rejects as `dns.lookup` does. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** May this address, in text without brackets, be connected to? */
export type Guard = (address: string) => boolean;

export interface ConnectOptions {
  readonly lookup?: Lookup;
  readonly guard: Guard;
  /** Milliseconds for resolving, connecting and TLS. */
  readonly connectMs: number;
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** True for an address, in text without brackets, that is of the open internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().range() === 'unicast';
  if (address.match(NAT64)) return ipaddr.fromByteArray(address.toByteArray().slice(12)).range() === 'unicast';
  return address.match(IPV6_GLOBAL) && address.range() === 'unicast';
}

/**
 * A guard that lets public addresses pass, and all others (true) or those in networks such as `10.1.0.0/16`.
 * Throws `UserError` for what is no network.
 */
export function createGuard(allowPrivate: boolean | readonly string[]): Guard {
  if (allowPrivate === true) return () => true;
  const networks = allowPrivate === false ? [] : allowPrivate.map(networkOf);
  return (text) => isPublicAddress(text) || (ipaddr.isValid(text) && networks.some(isInNetwork(ipaddr.process(text))));
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

function networkOf(text: string): Network {
  const cidr = text.includes('/') || !ipaddr.isValid(text) ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  if (ipaddr.isValidCIDR(cidr)) return ipaddr.parseCIDR(cidr);
  throw new UserError(`${JSON.stringify(text)} is no network: expected an address or a network such as 10.1.0.0/16.`);
}

function isInNetwork(address: Address): (network: Network) => boolean {
  return ([base, bits]) => base.kind() === address.kind() && address.match(base, bits);
}

/** True for a host, as a {@link Target} has it, that `guard` is known to refuse without a name server being asked. */
export function isRefusedHost(host: string, guard: Guard): boolean {
  const bare = bareHost(host).replace(/\.$/, '');
  if (isIP(bare) !== 0) return !guard(bare);
  if (bare === 'localhost' || bare.endsWith('.localhost')) return !guard('127.0.0.1') && !guard('::1');
  return bare === '';
}

/** Opens connections for undici, and none to an address that `guard` refuses. Fails with {@link PrivateAddress}. */
export function createConnector({ guard, connectMs, lookup = lookupAll }: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(lookup, guard),
    timeout: connectMs,
    autoSelectFamily: true,
    allowH2: false,
  });
  return (target, callback) => {
    // An address is not looked up, so it is judged here.
    if (isRefusedHost(target.hostname, guard)) return callback(new PrivateAddress(target.hostname), null);
    connect(target, (...outcome: Parameters<buildConnector.Callback>) => {
      const [error, socket] = outcome;
      if (error !== null) return callback(error, null);
      if (guard(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new PrivateAddress(socket.remoteAddress), null);
    });
  };
}

/** Of several addresses those that pass; an error where none is left. */
function guardedLookup(lookup: Lookup, guard: Guard): LookupFunction {
  return (host, options, callback) => {
    lookup(host).then(
      (all) => {
        const open = all.filter(guard);
        if (open.length === 0)
          return callback(all.length === 0 ? notFound(host) : new PrivateAddress(all.join(', ')), [], 0);
        const found = open.map((address) => ({ address, family: isIP(address) }));
        if (options.all === true) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, [], 0),
    );
  };
}

/** True for an IPv4 or IPv6 address in text without brackets. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** What the system's name servers say. */
export async function lookupAll(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
}

function notFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' });
}

function bareHost(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
