// Which URLs may be requested, on which hosts, and with which values?
//
//   host    one of the site's own                                                  origins
//   values  none that belongs to one visitor                                       stranger
//   words   neither an action nor a token by its words                             actions
//           of a kind that is read commonly, or made of such a URL by dropping text  evidence
//
// The log and the words of a URL catch different actions. The log catches an action whose words nobody thought of, if
// few people used it; the words catch a known action even if crawlers follow it. Neither is certain, and both together
// are not.
import { secretKindOf, looksRandom, valuesOf } from '../../url/secret.js';
import type { ActionTest } from './actions.js';
import type { UnavailableReason } from '../source.js';
import { afterHost, hostOf, type Evidence } from './evidence.js';
import { isOfBase } from './origins.js';
import type { Stranger } from './stranger.js';

export interface PermissionOptions {
  readonly actionOf: ActionTest;
  /** Undefined if there is no log to learn from. */
  readonly evidence: Evidence | undefined;
  readonly stranger: Stranger;
  /** Scheme and host that `--base` names. */
  readonly base: string | null;
  /** Hosts that `--one-site` names. */
  readonly moreHosts: readonly string[];
}

export class Permission {
  readonly #options: PermissionOptions;
  readonly #isOfBase: ((origin: string) => boolean) | undefined;
  /**
   * URLs that are allowed because they were made from an allowed URL by taking something away, or made up so that no
   * page has them.
   */
  readonly #allowed = new Set<string>();

  constructor(options: PermissionOptions) {
    this.#options = options;
    this.#isOfBase = options.base === null ? undefined : isOfBase(options.base);
  }

  /** The reason why an absolute URL must not be requested; undefined if it may be. */
  refusal(url: string): UnavailableReason | undefined {
    return this.#place(url) ?? this.#words(url) ?? (this.#isReading(url) ? undefined : 'rarely-read');
  }

  /** The same for a URL that the site itself redirects to, as a browser would follow. */
  refusalOfHop(url: string): UnavailableReason | undefined {
    return this.#place(url) ?? this.#words(url);
  }

  /** Allows the image of an allowed URL if the rule only removed text. */
  allowImage(url: string, image: string): void {
    if (takesAway(url, image) && this.refusal(url) === undefined) this.#allowed.add(image);
  }

  /** Allows a URL that was made up so that no page can have it. */
  allow(url: string): void {
    this.#allowed.add(url);
  }

  /** Learns from a URL that was requested and is a page. */
  learn(url: string): void {
    this.#options.evidence?.learn(url);
  }

  #place(url: string): UnavailableReason | undefined {
    const host = hostOf(url);
    const { moreHosts, evidence } = this.#options;
    if (moreHosts.some((one) => isOnPortOf(host, one, this.#port))) return undefined;
    if (this.#isOfBase !== undefined) {
      const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
      return this.#isOfBase(origin) ? undefined : 'other-host';
    }
    if (evidence === undefined) return undefined;
    return evidence.isOwnHost(host) || evidence.isOwnHost(twinOf(host)) ? undefined : 'other-host';
  }

  /** The port of the base, such as `:8080`; '' for the default port. */
  get #port(): string {
    return /:\d+$/.exec(this.#options.base ?? '')?.[0] ?? '';
  }

  #words(url: string): UnavailableReason | undefined {
    const { stranger, actionOf } = this.#options;
    if (this.#hasToken(url)) return 'token-url';
    if (stranger.isVisitors(url)) return 'visitor-value';
    return actionOf(pathOf(url));
  }

  #hasToken(url: string): boolean {
    const { evidence } = this.#options;
    return valuesOf(url).some(
      (value) =>
        secretKindOf(value.name, value.text) === 'key' ||
        (looksRandom(value.text) && evidence?.isToken(value, url) === true),
    );
  }

  #isReading(url: string): boolean {
    const { evidence } = this.#options;
    if (evidence === undefined || !evidence.hasReaders || this.#allowed.has(url)) return true;
    return evidence.isReadCommonly(url);
  }
}

/** True for the host `one` on its default port, or on the port of the base. */
function isOnPortOf(host: string, one: string, port: string): boolean {
  return host === one || host === one + port;
}

/** `h` for `www.h`, and `www.h` for `h`. */
function twinOf(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : `www.${host}`;
}

function pathOf(url: string): string {
  const path = afterHost(url);
  return path.startsWith('/') ? path : `/${path}`;
}

/** True if the image only has segments and fields of the URL, in their order. */
export function takesAway(url: string, image: string): boolean {
  const pieces = piecesOf(url);
  let at = 0;
  for (const piece of piecesOf(image)) {
    while (at < pieces.length && pieces[at] !== piece) at++;
    if (at++ >= pieces.length) return false;
  }
  return true;
}

function piecesOf(url: string): string[] {
  const [path = '', ...query] = pathOf(url).split('?');
  const segments = path.split(/[/;]/).filter((segment) => segment !== '');
  const fields = query
    .join('?')
    .split(/[&;]/)
    .filter((field) => field !== '');
  return [...segments.map((segment) => `/${segment}`), ...fields.map((field) => `?${field}`)];
}
