// The program without its start-up: a process that has it loaded runs one command line after another, as requested over
// a socket. Mining the fixture takes 1.0 s of CPU in a new process, and 0.2 s here once its loops are compiled.
// warm-server.ts is that process, `runWarm` is its client. A message either way is its length (u32, little endian) and
// that many bytes of `node:v8` serialization.
import { createConnection, createServer, type Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

export interface Asked {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input: string | Buffer;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Answered {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a command line in the process that listens at `path`. */
export async function runWarm(path: string, asked: Asked): Promise<Answered> {
  const socket = createConnection(path);
  socket.write(packed(asked));
  for await (const answer of messages(socket)) {
    socket.end();
    return answer as Answered;
  }
  throw new Error(`the process at ${path} ended in the middle of dustbuster ${asked.args.join(' ')}`);
}

/** Answers one connection after another at `path`; each has one request. */
export function listen(path: string, answer: (asked: Asked) => Promise<Answered>): Promise<void> {
  let last = Promise.resolve();
  const server = createServer((socket) => {
    // The client may be gone by then, such as a test that timed out.
    socket.on('error', () => undefined);
    const answered = async () => {
      for await (const asked of messages(socket)) socket.end(packed(await answer(asked as Asked)));
    };
    last = last.then(answered).catch(() => undefined);
  });
  return new Promise((resolve) => server.listen(path, resolve));
}

/** Runs a command line with streams that collect what is written, in the given folder and with the given variables. */
export async function answerBy(
  main: (args: readonly string[], effects: never) => Promise<void>,
  effects: () => object,
  { args, cwd, input, env }: Asked,
): Promise<Answered> {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const before = process.env;
  process.env = { ...env };
  process.chdir(cwd);
  try {
    const bytes = Buffer.from(input);
    const given = { ...effects(), stdin: Readable.from(bytes.length === 0 ? [] : [bytes]), stdout, stderr };
    await main(args, given as never);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.bytes(), stderr: stderr.bytes().toString() };
  } catch (error) {
    return { code: 1, stdout: stdout.bytes(), stderr: `${stderr.bytes().toString()}${(error as Error).stack}\n` };
  } finally {
    process.exitCode = 0;
    process.env = before;
  }
}

class Kept extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function packed(message: unknown): Buffer {
  const body = serialize(message);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

async function* messages(socket: Socket): AsyncGenerator {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32LE()) {
      const end = 4 + bytes.readUInt32LE();
      const message: unknown = deserialize(bytes.subarray(4, end));
      bytes = bytes.subarray(end);
      yield message;
    }
  }
}
