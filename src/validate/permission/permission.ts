// Which URLs may be asked for, on which hosts, and with which values?
//
//   host    one of the site's own                                                  origins
//   values  none that belongs to one visitor                                       stranger
//   words   neither an action nor a token by its words                             actions
//           of a kind that is read commonly; or made of such a URL by taking away  evidence
//
// Evidence and words catch what the other lets through: an action whose words nobody thought of, if few people used it,
// and one that crawlers follow, if its words are known. Neither is sure, nor are both together.
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
  /** Made by taking something away from a URL that may be asked for, or to be a URL that nobody has. */
  readonly #allowed = new Set<string>();

  constructor(options: PermissionOptions) {
    this.#options = options;
    this.#isOfBase = options.base === null ? undefined : isOfBase(options.base);
  }

  /** Why an absolute URL is not asked for; undefined if it may be. */
  refusal(url: string): UnavailableReason | undefined {
    return this.#place(url) ?? this.#words(url) ?? (this.#isReading(url) ? undefined : 'rarely-read');
  }

  /** The same for a URL to which the site itself redirects: a browser would follow. */
  refusalOfHop(url: string): UnavailableReason | undefined {
    return this.#place(url) ?? this.#words(url);
  }

  /** Allows the image of a URL that may be requested, if the rule only removed text. */
  allowImage(url: string, image: string): void {
    if (takesAway(url, image) && this.refusal(url) === undefined) this.#allowed.add(image);
  }

  /** Allows a URL that was made up so that no page can have it. */
  allow(url: string): void {
    this.#allowed.add(url);
  }

  /** A URL that was asked for, and is a page. */
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

  /** `:8080` of the base; '' if it has the default port. */
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

/** The host `one` on its default port, or on that of the base. */
function isOnPortOf(host: string, one: string, port: string): boolean {
  return host === one || host === one + port;
}

/** The other of `www.h` and `h`. */
function twinOf(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : `www.${host}`;
}

function pathOf(url: string): string {
  const path = afterHost(url);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Whether segments and fields of the image are some of those of the URL, in their order. */
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
