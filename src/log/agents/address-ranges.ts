// Is an address of the Internet in one of some ranges? Addresses are numbers of 128 bits: one of IPv4 is the IPv6 address
// ::ffff:1.2.3.4, so that a log may write it either way. `node:net` would do, but is for what opens connections.

export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

const MAPPED = 0xffffn << 32n;
const BITS = 128;
const PART = /^[0-9a-f]{1,4}$/i;
const OCTET = /^\d{1,3}$/;

/** Undefined if the text is no address. */
export function readAddress(text: string): bigint | undefined {
  if (text.includes(':')) return readLong(text);
  const short = readShort(text);
  return short === undefined ? undefined : MAPPED | short;
}

/** 1.2.3.4 */
function readShort(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) < 256)) return undefined;
  return octets.reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n);
}

/** 2001:db8::1, ::ffff:1.2.3.4 */
function readLong(text: string): bigint | undefined {
  const dots = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const short = dots === null ? undefined : readShort(dots[2]!);
  if (dots !== null && short === undefined) return undefined;
  const whole =
    short === undefined ? text : `${dots![1]}${(short >> 16n).toString(16)}:${(short & 0xffffn).toString(16)}`;
  const [head = '', tail, ...more] = whole.split('::').map((half) => (half === '' ? [] : half.split(':')));
  if (more.length > 0 || head === '') return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const parts = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  if (!parts.every((part) => PART.test(part))) return undefined;
  return parts.reduce((sum, part) => (sum << 16n) | BigInt(`0x${part}`), 0n);
}

/** The range of a prefix such as 192.0.2.0/27; undefined if it is none. */
export function readPrefix(prefix: string): AddressRange | undefined {
  const [text = '', bits = '', ...more] = prefix.split('/');
  const address = readAddress(text);
  const most = text.includes(':') ? BITS : 32;
  if (address === undefined || more.length > 0 || !OCTET.test(bits) || Number(bits) > most) return undefined;
  const rest = (1n << BigInt(most - Number(bits))) - 1n;
  return { first: address & ~rest, last: address | rest };
}

/** For many questions: sorted, and joined where they overlap. */
export function joinedRanges(ranges: readonly AddressRange[]): readonly AddressRange[] {
  const joined: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const before = joined.at(-1);
    if (before === undefined || before.last < first) joined.push({ first, last });
    else if (last > before.last) before.last = last;
  }
  return joined;
}

/** `ranges` as {@link joinedRanges} returns them. */
export function isInRanges(ranges: readonly AddressRange[], address: bigint): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.last < address) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]!.first <= address;
}
