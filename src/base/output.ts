// Where results are written. A file is complete or absent: it is written to a temporary name, synced and renamed. A
// stream is written in blocks, one at a time, so that a slow reader slows the program instead of filling its memory.
import {
  constants,
  fstatSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  write as writeFd,
  writeSync,
} from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { type Before, makeLike } from './access.js';
import { decodeText, encodeText, printable, printableLines } from './bytes.js';
import { draftName, removeLeftDrafts } from './draft.js';
import type { Effects } from './effects.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';
import { refuseOdd } from './plain-file.js';
import { nextTurn } from './turns.js';

export type Chunk = string | Uint8Array;
export type Chunks = Iterable<Chunk> | AsyncIterable<Chunk>;

/** The reader of a pipe has closed it. Not a failure: `main` catches it and exits with 0, without a message. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
  constructor() {
    super('the reader of the output has closed it');
  }
}

interface Sink {
  /** Await this before the next write. Once it has resolved, the chunk may be reused. */
  write(chunk: Chunk): Promise<void>;
  /** Resolves when everything has been passed on. Leaves the stream open, as stdout must be. */
  end(): Promise<void>;
}

interface SinkOptions {
  /** Writes what it has at each empty chunk, where the source has to wait; by default, blocks of 64 KiB. */
  readonly lineBuffered?: boolean;
  /** What messages call the stream. */
  readonly name?: string;
  /**
   * The text is already safe on a terminal, and may have colours. Otherwise control characters are escaped if the
   * stream is a terminal.
   */
  readonly isSafe?: boolean;
  /** The user did not give the file's name, a default did: links are not followed. */
  readonly isDefault?: boolean;
}

const blockBytes = 65_536;

export function createSink(stream: Writable & { readonly isTTY?: boolean }, options: SinkOptions = {}): Sink {
  const { lineBuffered = false, name = 'standard output', isSafe = false } = options;
  const sink = blockSink(sender(stream, name), lineBuffered);
  return stream.isTTY === true && !isSafe ? forTerminal(sink) : sink;
}

/** Text from a log must not reach a terminal unescaped, where escape sequences are commands. */
function forTerminal(sink: Sink): Sink {
  return {
    write: (chunk) => sink.write(printableLines(typeof chunk === 'string' ? chunk : decodeText(chunk))),
    end: () => sink.end(),
  };
}

/** Gathers small chunks into blocks; passes on large chunks as they are. */
function blockSink(send: Send, lineBuffered: boolean): Sink {
  const block = Buffer.allocUnsafe(blockBytes);
  let used = 0;
  const flush = async () => {
    const bytes = block.subarray(0, used);
    used = 0;
    if (bytes.length > 0) await send(bytes);
  };
  return {
    async write(chunk) {
      const bytes = typeof chunk === 'string' ? encodeText(chunk) : chunk;
      if (used + bytes.length > blockBytes || (lineBuffered && bytes.length === 0)) await flush();
      if (bytes.length > blockBytes) return send(bytes);
      block.set(bytes, used);
      used += bytes.length;
    },
    end: flush,
  };
}

/** Writes one block and resolves when the stream has taken it, which gives back-pressure. */
type Send = (bytes: Uint8Array) => Promise<void>;

function sender(stream: Writable, name: string): Send {
  // Node does not check for short writes to a redirected stdout, so `fileSender` writes to files.
  if ('fd' in stream && typeof stream.fd === 'number' && isRegularFile(stream.fd)) {
    return fileSender(stream.fd, name);
  }
  let failure: unknown;
  stream.on('error', (error) => {
    failure ??= error;
  });
  return (bytes) =>
    new Promise<void>((taken, refused) => {
      if (failure !== undefined) return refused(asFailure(failure, name));
      stream.write(bytes, (error) => (error ? refused(asFailure(failure ?? error, name)) : taken()));
    });
}

function isRegularFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false; // closed, or not a descriptor of this process: the stream itself will report what is wrong
  }
}

/**
 * For a file: writes synchronously. The system takes a block in 20 µs; passing it to another thread takes 200. A call
 * may write fewer bytes than asked for, on a disk that is filling up.
 */
function fileSender(fd: number, name: string): Send {
  return async (bytes) => {
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      rethrow(error, name);
    }
  };
}

/** For a device or a named pipe, which may take long, or for ever, to accept the block. */
function deviceSender(fd: number, name: string): Send {
  return async (bytes) => {
    for (let at = 0; at < bytes.length;) {
      at += await new Promise<number>((done, failed) => {
        writeFd(fd, bytes, at, bytes.length - at, null, (error, written) => (error ? failed(error) : done(written)));
      }).catch((error: unknown) => rethrow(error, name));
    }
  };
}

/**
 * Writes all of `chunks` to the file `path`, or nothing; `-` is standard output. Errors of `chunks` are passed on. An
 * existing file keeps its mode. A new file is open only to those who may read everything it is made from. If the user
 * named the path, a link there is followed and its target replaced, and a device or pipe is written to directly; a
 * default name must not be a link or a device.
 */
export async function writeFileWhole(
  path: string,
  chunks: Chunks,
  effects: Pick<Effects, 'cwd' | 'stdout' | 'access'>,
  options: SinkOptions = {},
): Promise<void> {
  if (path === '-') return pour(chunks, createSink(effects.stdout, options));
  const place = resolve(effects.cwd, path);
  if (options.isDefault === true) refuseOdd(place, path);
  else refuseForeignLink(place, path);
  const target = await findTarget(place).catch((error: unknown) => rethrow(error, path));
  if (target.direct) return writeDirectly(target.path, chunks, path);
  const draft = await openDraft(dirname(target.path), target.before).catch((error: unknown) => rethrow(error, path));
  try {
    if (target.before === undefined) effects.access?.limit(draft.handle.fd);
    await pour(chunks, blockSink(fileSender(draft.handle.fd, path), false));
    await finish(draft, target.path).catch((error: unknown) => rethrow(error, path));
  } finally {
    await draft.handle.close().catch(ignoreClosed);
    await rm(systemName(draft.path), { force: true });
    unfinished.delete(draft.path);
  }
}

/** A complete file that has not its name yet. */
export interface ReadyFile {
  /** Gives it its name. Synchronous, so that no signal comes between several files that belong together. */
  place(): void;
  remove(): void;
}

/** Writes all of `chunks`, or nothing, beside the file `path`, which stays as it is until the new one is placed. */
export async function writeReady(
  path: string,
  chunks: Chunks,
  { access }: Pick<Effects, 'access'>,
): Promise<ReadyFile> {
  const { path: place, before } = await findTarget(path).catch((error: unknown) => rethrow(error, path));
  const draft = await openDraft(dirname(place), before).catch((error: unknown) => rethrow(error, path));
  const remove = () => {
    rmSync(systemName(draft.path), { force: true });
    unfinished.delete(draft.path);
  };
  try {
    if (before === undefined) access?.limit(draft.handle.fd);
    await pour(chunks, blockSink(fileSender(draft.handle.fd, path), false));
    await draft.handle.sync().catch((error: unknown) => rethrow(error, path));
  } catch (error) {
    remove();
    throw error;
  } finally {
    await draft.handle.close();
  }
  return {
    remove,
    place() {
      renameSync(systemName(draft.path), systemName(place));
      unfinished.delete(draft.path);
    },
  };
}

const unfinished = new Set<string>();

/**
 * Removes the files that {@link writeFileWhole} has not finished. Synchronous: for the signal handler, just before
 * exit.
 */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(systemName(path), { force: true });
  unfinished.clear();
}

/** Chunks between two turns of the event loop: of a rules file some 10 ms. */
const CHUNKS_OF_TURN = 1024;

/** Writes everything that `chunks` yields to `sink`. A file takes blocks at once, and signals need a turn. */
export async function pour(chunks: Chunks, sink: Sink): Promise<void> {
  let written = 0;
  for await (const chunk of chunks) {
    await sink.write(chunk);
    if (++written % CHUNKS_OF_TURN === 0) await nextTurn();
  }
  await sink.end();
}

interface Target {
  readonly path: string;
  /** The owner and mode of the replaced file; undefined for a new one. */
  readonly before?: Before;
  /** True for a device, pipe or socket, which is written to in place. */
  readonly direct: boolean;
}

async function findTarget(path: string): Promise<Target> {
  try {
    const found = await stat(systemName(path));
    if (found.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
    // `/dev/stdout` may lead to a pipe without a path, so only a regular file is resolved to its real name.
    if (!found.isFile()) return { path, direct: true };
    const { mode, uid, gid } = found;
    return {
      path: decodeText(await realpath(systemName(path), 'buffer')),
      before: { mode: mode & 0o777, uid, gid },
      direct: false,
    };
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return { path, direct: false };
  }
}

/** Linux follows as many links. */
const MOST_LINKS = 40;

/**
 * In a folder that others may write to, somebody may have put a link under an expected name. The superuser may write
 * anywhere, so for root the links of all other users are foreign.
 */
function refuseForeignLink(path: string, name: string): void {
  const user = process.geteuid?.();
  let at = path;
  for (let turn = 0; turn < MOST_LINKS && user !== undefined; turn++) {
    const found = statOf(at);
    if (found === undefined || !found.isSymbolicLink()) return;
    if (found.uid !== user && found.uid !== 0) {
      const message = `${printable(name)} is a symbolic link of another user; expected one of your own, or a file`;
      throw new UserError(`${message}. Name the file that it leads to, if you trust it: ${printable(linkOf(at))}`);
    }
    at = resolve(dirname(at), linkOf(at));
  }
}

/**
 * Undefined if nothing is there, or if it may not be seen: opening it then reports why. The target of /dev/stdout may
 * have no path either.
 */
function statOf(path: string) {
  return unlessRefused(() => lstatSync(systemName(path), { throwIfNoEntry: false }));
}

function linkOf(path: string): string {
  try {
    return decodeText(readlinkSync(systemName(path), 'buffer'));
  } catch (error) {
    return rethrow(error, path);
  }
}

/** Does not truncate: if a file has replaced the device or pipe meanwhile, it must be written like any file. */
async function writeDirectly(path: string, chunks: Chunks, name: string): Promise<void> {
  const handle = await open(systemName(path), constants.O_WRONLY).catch((error: unknown) => rethrow(error, name));
  try {
    const sink = blockSink(deviceSender(handle.fd, name), false);
    await pour(chunks, isatty(handle.fd) ? forTerminal(sink) : sink);
  } finally {
    await handle.close();
  }
}

interface Draft {
  readonly path: string;
  readonly handle: FileHandle;
}

/** No name is used twice: a file that is being written would otherwise be taken for one that has just been renamed. */
let drafts = 0;

async function openDraft(folder: string, before: Before | undefined): Promise<Draft> {
  removeLeftDrafts(folder);
  for (;;) {
    const path = join(folder, draftName(drafts++));
    // Before it is there, or a signal could leave it.
    unfinished.add(path);
    try {
      const handle = await open(systemName(path), 'wx', before === undefined ? 0o666 : 0o600);
      try {
        if (before !== undefined) makeLike(handle.fd, before);
      } catch (error) {
        await handle.close();
        await rm(systemName(path), { force: true });
        throw error;
      }
      return { path, handle };
    } catch (error) {
      unfinished.delete(path);
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function finish(draft: Draft, path: string): Promise<void> {
  await draft.handle.sync();
  await draft.handle.close();
  await rename(systemName(draft.path), systemName(path));
  await syncFolder(dirname(path));
}

/**
 * Makes the new name survive a power cut, on systems where a folder can be synced. Other systems do that themselves.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(systemName(folder), 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function ignoreClosed(error: unknown): void {
  if (systemCode(error) !== 'EBADF') throw error;
}

function rethrow(error: unknown, name: string): never {
  throw asFailure(error, name);
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device. Free some, or name a file elsewhere with -o',
  EDQUOT: 'the disk quota is used up. Free some space, or name a file elsewhere with -o',
  EFBIG: 'the file would be larger than this system allows. Name a file elsewhere with -o',
  EIO: 'the device reports an error. Check it, or name a file elsewhere with -o',
  EACCES: 'permission is denied. Name a file in a folder that you may write to',
  EPERM: 'permission is denied. Name a file in a folder that you may write to',
  EROFS: 'the file system is read-only. Name a file elsewhere with -o',
  EISDIR: 'it is a folder, a file was expected. Name a file in it',
  ENOENT: 'its folder does not exist. Make the folder first, or name another',
  ENOTDIR: 'a part of its path is no folder. Name a file in a folder',
  ENXIO: 'nothing can be opened there. For standard output name -',
  ENAMETOOLONG: 'its name is too long. Name it shorter',
};

/** Turns a system error into a UserError; other errors are bugs and stay as they are. */
function asFailure(error: unknown, name: string): unknown {
  const code = systemCode(error);
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ClosedPipe();
  const remedy = code === undefined ? undefined : remedies[code];
  return remedy === undefined ? error : new UserError(`cannot write ${name}: ${remedy} (${code}).`, { cause: error });
}
