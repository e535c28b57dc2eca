// A name server that changes its mind (DNS rebinding): each answer has some allowed and some private addresses, in any
// order, and the next one others. A server listens at both; only the allowed address may ever be connected to.
import { createServer } from 'node:net';
import { createConnector, createGuard, PrivateAddress } from '../../../src/validate/live/guard.js';
import { seeded } from '../input/random.js';

export interface ChangedNames {
  readonly lookups: number;
  /** Connections at the allowed address; refusals. */
  readonly connected: number;
  readonly refused: number;
}

const ALLOWED = '127.0.0.1';
/** The same machine by other names: all are private, and not allowed. */
const OTHERS = [
  '127.0.0.2',
  '127.1.2.3',
  '::ffff:127.0.0.2',
  '::ffff:7f00:3',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
];

/** Throws if a connection reaches an address that is not allowed. */
export async function changeNames(count: number, seed: number): Promise<ChangedNames> {
  const random = seeded(seed);
  const reached = new Set<string>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    reached.add(socket.localAddress ?? '');
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  const { port } = server.address() as { port: number };
  const found = { lookups: 0, connected: 0, refused: 0 };
  const lookup = async () => {
    found.lookups++;
    const some = [ALLOWED, ...OTHERS].filter(() => random() < 0.25);
    return some.length === 0 ? [OTHERS[0]!] : some.sort(() => random() - 0.5);
  };
  const connect = createConnector({ lookup, guard: createGuard([ALLOWED]), connectMs: 2000 });
  const target = { host: 'www.site.test', hostname: 'www.site.test', protocol: 'http:', port: String(port) };
  try {
    for (let k = 0; k < count; k++) {
      const error = await new Promise<Error | null>((done) => {
        connect(target, (failure, socket) => {
          socket?.destroy();
          done(failure);
        });
      });
      if (error === null) found.connected++;
      else if (error instanceof PrivateAddress) found.refused++;
      else throw error;
    }
  } finally {
    server.close();
  }
  reached.delete(ALLOWED);
  if (reached.size > 0) throw new Error(`connections reached ${[...reached].join(', ')}`);
  if (accepted < found.connected / 2) throw new Error(`the server saw ${accepted} of ${found.connected} connections`);
  return found;
}
