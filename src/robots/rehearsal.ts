// A rehearsal of a robots.txt, in one pass over a log. URLs and who came to them are kept, so that further lines can be tried
// afterwards.
import { readTime } from '../log/time.js';
import type { Fields, Span } from '../log/format/format.js';
import type { AboutUrls } from './line-meter.js';
import { type Candidate, propose, type Proposal } from './proposal.js';
import { Trial, type TrialOptions, type TrialResult } from './trial.js';
import { engineOf, targetIn, Visits } from './visits.js';

export interface RehearsalOptions extends TrialOptions {
  readonly memoryBytes: number;
}

export interface LogOfRehearsal {
  readonly requests: number;
  readonly urls: number;
  /** Requests for URLs that there was no memory for. */
  readonly unlisted: number;
  readonly hosts: number;
  /** The hosts with the most requests. */
  readonly largestHosts: readonly { readonly host: string; readonly requests: number }[];
  readonly hasAgents: boolean;
  readonly hasTimes: boolean;
  readonly hasReferrers: boolean;
  /** Milliseconds since 1970; Infinity and -Infinity if the log has no times. */
  readonly from: number;
  readonly to: number;
}

const MOST_HOSTS = 10;

export class RobotsRehearsal {
  readonly #body: Uint8Array;
  readonly #visits: Visits;
  readonly #trial: Trial;
  #requests = 0;
  #agents = 0;
  #referrers = 0;
  #from = Infinity;
  #to = -Infinity;

  constructor(body: Uint8Array, options: RehearsalOptions) {
    this.#body = body;
    this.#visits = new Visits(options.memoryBytes);
    this.#trial = new Trial(body, this.#visits, options);
  }

  /** Takes a request as the log is read. */
  readonly add = (fields: Fields, bytes: Uint8Array, start: number, end: number): void => {
    const { status, size } = fields;
    const [agent, referrer] = [textOf(fields.agent), textOf(fields.referrer)];
    const time = readTime(fields.time.bytes, fields.time.start, fields.time.end);
    const target = targetIn(bytes, start, end);
    const row = this.#visits.rowOf(bytes, start, end);
    const { group } = this.#trial.add({ row, target, agent, time, status, size });
    if (row >= 0) {
      this.#visits.addRequest(row);
      this.#visits.noteAnswer(row, status, bytes, start, end);
      if (group === 'person') this.#noteVisit(row, status, referrer);
    }
    this.#note(agent, referrer, time);
  };

  get log(): LogOfRehearsal {
    const { length: urls, unlisted, hosts } = this.#visits;
    return {
      requests: this.#requests,
      urls,
      unlisted,
      hosts: hosts.size,
      largestHosts: Array.from(hosts, ([host, requests]) => ({ host, requests }))
        .sort((a, b) => b.requests - a.requests || (a.host < b.host ? -1 : 1))
        .slice(0, MOST_HOSTS),
      hasAgents: this.#agents > 0,
      hasTimes: this.#to >= this.#from,
      hasReferrers: this.#referrers > 0,
      from: this.#from,
      to: this.#to,
    };
  }

  finish(about?: AboutUrls): TrialResult {
    return this.#trial.finish(about);
  }

  /** Tries further lines for the file ({@link propose}). */
  propose(candidates: readonly Candidate[], about: AboutUrls, isOwn?: (url: Uint8Array) => boolean): Proposal {
    return propose(this.#body, candidates, this.#visits, about, isOwn);
  }

  #noteVisit(row: number, status: number, referrer: string): void {
    if (status >= 300 && status !== 304) return;
    this.#visits.people.add(row);
    const engine = referrer === '' ? -1 : engineOf(referrer);
    if (engine >= 0) this.#visits.fromSearch[engine]!.add(row);
  }

  #note(agent: string, referrer: string, time: number): void {
    this.#requests++;
    if (agent !== '' && agent !== '-') this.#agents++;
    if (referrer !== '' && referrer !== '-') this.#referrers++;
    if (time < this.#from) this.#from = time;
    if (time > this.#to) this.#to = time;
  }
}

function textOf({ bytes, start, end }: Span): string {
  return start === end ? '' : Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
