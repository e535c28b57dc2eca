// Is it safe to connect to this address? Log lines are written by strangers, so a name in one may point into the
// network that dustbuster runs in: to a router, a database, the metadata service of a cloud (SSRF).
//
//   name ──lookup──▶ addresses ──only public ones──▶ connect ──▶ is the other end public? ──▶ request
//
// The name is resolved once, by the connection itself, and only a checked address is connected to: between check and
// use there is no moment for a name server to change its answer (DNS rebinding). Public is what the registries assign
// for the open internet; a range that is not known to be public is refused. An address with an embedded IPv4 address is
// public if that one is; of such forms, only mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96) are allowed at all.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { UserError } from '../../base/error.js';

/** Returns all addresses of a host name; rejects as `dns.lookup` does. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** True if this address, in text without brackets, may be connected to. */
export type Guard = (address: string) => boolean;

export interface ConnectOptions {
  readonly lookup?: Lookup;
  readonly guard: Guard;
  /** The time for resolving, connecting and TLS, in milliseconds. */
  readonly connectMs: number;
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');
/**
 * Services of clouds at addresses that look public: Azure's platform (metadata, DNS, health probes: "What is IP address
 * 168.63.129.16?" in its manual) and the service networks of IBM Cloud ("IBM Cloud IP ranges").
 */
const OF_CLOUDS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((network) => ipaddr.parseCIDR(network));
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** True for an address of the open internet, in text without brackets. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  if (address.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(IPV6_GLOBAL) && address.range() === 'unicast';
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !OF_CLOUDS.some((network) => address.match(network));
}

/**
 * A guard that allows public addresses. It also allows all others (true), or those in networks such as `10.1.0.0/16`.
 * Throws `UserError` for text that is not a network.
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
  throw new UserError(
    `${JSON.stringify(text)} is not a network: expected an address or a network such as 10.1.0.0/16.`,
  );
}

function isInNetwork(address: Address): (network: Network) => boolean {
  return ([base, bits]) => base.kind() === address.kind() && address.match(base, bits);
}

/** True for a host, as a {@link Target} has it, that `guard` refuses without a name lookup. */
export function isRefusedHost(host: string, guard: Guard): boolean {
  const bare = bareHost(host).replace(/\.$/, '');
  if (isIP(bare) !== 0) return !guard(bare);
  if (bare === 'localhost' || bare.endsWith('.localhost')) return !guard('127.0.0.1') && !guard('::1');
  return bare === '';
}

/** A connector for undici that refuses addresses which `guard` does not allow, with {@link PrivateAddress}. */
export function createConnector({ guard, connectMs, lookup = lookupAll }: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(lookup, guard),
    timeout: connectMs,
    autoSelectFamily: true,
    allowH2: false,
  });
  return (target, callback) => {
    // undici does not look addresses up, so they are checked here.
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

/** A lookup that returns only allowed addresses; an error if there are none. */
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

/** Asks the name servers of the system. */
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
