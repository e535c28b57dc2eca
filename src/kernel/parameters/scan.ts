// Finds the parameters of a URL, and its hash without each of them (mine/parameter-scan), in one pass over the bytes of
// the list, in collation order, eight at a time.
//
//   http://h/forum;jsessionid=F3/list?id=7&sid=a
//                  |                  |    |        a piece begins after its separator, and has no other in it
//
// Pieces end at `&` and `;` in the query, and at `;` and `/` before it. A parameter consists of whole pieces, so the
// URL without it is the path without the parameter's pieces, and the remaining pieces of the query, the first of which
// then begins with `?`. The hash of a URL chains the hash of its path and those of the pieces of the query, so only a
// parameter in the path, which is rare, requires building a new path.
//
// `url/fields` defines fields and parameters.
import {
  COUNT,
  FIELD_END,
  FIELD_HASH,
  HASH_A,
  HAS_HOST,
  IS_SIMPLE,
  MAX_NAMES,
  NAME_AT,
  NAME_END,
  NAME_HASH,
  REST_A,
} from '../layout/scan';
import { REST_PATH, room, SCAN_PIECES } from '../memory/rooms';
import { FROM_COLLATION, hashOf, isSame, mixed, runsOf } from '../text/text';

// In collation bytes:
const NUMBER_SIGN: u8 = 35;
const AMPERSAND: u8 = 38;
const SLASH: u8 = 47;
const COLON: u8 = 48;
const SEMICOLON: u8 = 49;
const EQUALS: u8 = 51;
const QUESTION: u8 = 53;
/** Different seeds, so that a path and a piece with the same bytes have different hashes. */
const PATH_SEED: u64 = 1;
const ALONE: u64 = 0x8080808080808080;

@unmanaged
class Piece {
  /**
   * [start, stop) is its text without the separator, `equals` the first `=` in it. Without `=`, that is `stop` in a
   * query and -1 in a path.
   */
  start: i32;
  stop: i32;
  equals: i32;
  /** The number of the parameter, or NONE, or UNSAYABLE. */
  parameter: i32;
  hash: u64;
  separator: u8;
  /** False if it has a byte that no rule can express. */
  isSayable: bool;
}

/** At least offsetof<Piece>(). */
const PIECE: usize = 32;
const FEWEST: i32 = 32;
const NONE: i32 = -1;
const UNSAYABLE: i32 = -2;

// Of the current URL:
let url: usize = 0;
let scan: usize = 0;
let pieces: usize = 0;
let capacity: i32 = 0;
let count: i32 = 0;
/** The pieces of the path come first. */
let firstInQuery: i32 = 0;
let hasEmpty: bool = false;
let queryAt: i32 = 0;
let found: i32 = 0;
/** One bit per parameter: it has fields in the path, in the query, several fields. */
let inPath: u32 = 0;
let inQuery: u32 = 0;
let several: u32 = 0;

/** Scans a URL at a multiple of 8. Computes its hashes only if `hashes` is set. */
export function scanUrl(urlAt: usize, length: i32, result: usize, hashes: i32): void {
  url = urlAt;
  scan = result;
  count = found = 0;
  inPath = inQuery = several = 0;
  capacity = FEWEST;
  pieces = room(SCAN_PIECES, <usize>FEWEST * PIECE, 0);
  const host = hostStart(length);
  store<u32>(scan, u32(host > 0), HAS_HOST);
  cutPieces(length);
  hasEmpty = false;
  if (count > 0) findParameters(pathStart(host, length));
  store<i32>(scan, found, COUNT);
  for (let k = 0; k < found; k++) store<u32>(column(k), u32(isSimple(k)), IS_SIMPLE);
  if (hashes == 0) return;
  const path = hashOf(url, url + <usize>queryAt, PATH_SEED);
  storeHash(scan + HASH_A, queryHash(path, NONE));
  for (let k = 0; k < found; k++) {
    const rest = queryHash((inPath & bit(k)) != 0 ? pathHash(k) : path, k);
    const hash = mixed(rest);
    store<u32>(column(k), <u32>hash, REST_A);
    store<u32>(column(k), <u32>(hash >> 32), REST_A + 4 * MAX_NAMES);
  }
}

function storeHash(at: usize, hash: u64): void {
  store<u64>(at, mixed(hash));
}

function column(parameter: i32): usize {
  return scan + ((<usize>parameter) << 2);
}

function bit(parameter: i32): u32 {
  return (<u32>1) << parameter;
}

function isSimple(parameter: i32): bool {
  return (several & bit(parameter)) == 0 && !(hasEmpty && (inQuery & bit(parameter)) != 0);
}

/** Where the host begins, or -1. */
function hostStart(length: i32): i32 {
  if (length < 7 || load<u8>(url) == SLASH) return -1;
  if (letterAt(0) != 0x68 || letterAt(1) != 0x74 || letterAt(2) != 0x74 || letterAt(3) != 0x70) return -1;
  const colon: usize = letterAt(4) == 0x73 ? 5 : 4;
  const at = url + colon;
  const isHost = load<u8>(at) == COLON && load<u8>(at, 1) == SLASH && load<u8>(at, 2) == SLASH;
  return isHost && <i32>colon + 3 <= length ? <i32>colon + 3 : -1;
}

/** A raw byte in lower case, if it is a letter. */
function letterAt(k: usize): u8 {
  return load<u8>(FROM_COLLATION + <usize>load<u8>(url + k)) | 0x20;
}

function pathStart(host: i32, length: i32): i32 {
  if (host < 0) return 0;
  for (let k = host; k < length; k++) {
    const byte = load<u8>(url + <usize>k);
    if (byte == SLASH || byte == QUESTION) return k;
  }
  return length;
}

/** Cuts the pieces: only bytes that are tokens of their own can be separators. */
function cutPieces(length: i32): void {
  let open = changetype<Piece>(0);
  let isInQuery: bool = false;
  queryAt = length;
  firstInQuery = 0;
  for (let from = 0; from < length; from += 8) {
    let alone = ~runsOf(load<u64>(url + <usize>from)) & ALONE;
    if (length - from < 8) alone &= ((<u64>1) << ((<u64>(length - from)) << 3)) - 1;
    for (; alone != 0; alone &= alone - 1) {
      const k = from + <i32>(ctz(alone) >> 3);
      const byte = load<u8>(url + <usize>k);
      if (byte == SEMICOLON || (isInQuery ? byte == AMPERSAND : byte == SLASH)) {
        if (changetype<usize>(open) != 0) endPiece(open, k);
        // A piece of the path begins with a semicolon; a segment does not make one.
        open = byte == SLASH ? changetype<Piece>(0) : newPiece(byte, k + 1);
      } else if (byte == QUESTION && !isInQuery) {
        if (changetype<usize>(open) != 0) endPiece(open, k);
        isInQuery = true;
        queryAt = k;
        firstInQuery = count;
        open = newPiece(byte, k + 1);
      } else if (changetype<usize>(open) != 0) {
        if (byte == EQUALS) {
          if (open.equals < 0) open.equals = k;
        } else if (byte == AMPERSAND || byte == NUMBER_SIGN) open.isSayable = false;
      }
    }
  }
  if (changetype<usize>(open) != 0) endPiece(open, length);
  if (!isInQuery) firstInQuery = count;
}

function newPiece(separator: u8, start: i32): Piece {
  if (count == capacity) {
    capacity *= 2;
    pieces = room(SCAN_PIECES, <usize>capacity * PIECE, <usize>count * PIECE);
  }
  const piece = pieceAt(count++);
  piece.separator = separator;
  piece.start = start;
  piece.equals = -1;
  piece.isSayable = true;
  return piece;
}

function endPiece(piece: Piece, stop: i32): void {
  piece.stop = stop;
  piece.hash = hashOf(url + <usize>piece.start, url + <usize>stop, 0);
}

function pieceAt(number: i32): Piece {
  return changetype<Piece>(pieces + <usize>number * PIECE);
}

function findParameters(pathAt: i32): void {
  const isBare = lookAtQuery();
  let hasOthers = false;
  for (let k = 0; k < count; k++) {
    const piece = pieceAt(k);
    piece.parameter = NONE;
    if (k < firstInQuery) {
      if (piece.start <= pathAt || piece.equals <= piece.start) continue;
    } else {
      if (piece.equals < 0) piece.equals = piece.stop;
      if (isBare || piece.equals == piece.start) continue;
    }
    const hash = nameHash(piece);
    const parameter = find(piece, hash);
    if (parameter >= 0) join(k, piece, parameter);
    else if (!piece.isSayable) {
      piece.parameter = UNSAYABLE;
      hasOthers = true;
    } else if (found < MAX_NAMES) begin(k, piece, hash);
  }
  // A field that no rule can express is removed together with the other fields of its name.
  for (let k = 0; hasOthers && k < count; k++) {
    const piece = pieceAt(k);
    if (piece.parameter != UNSAYABLE) continue;
    piece.parameter = NONE;
    const parameter = find(piece, nameHash(piece));
    if (parameter >= 0) join(k, piece, parameter);
  }
}

/** Notes whether the query has an empty field; true for a bare query, a single field without `=`. */
function lookAtQuery(): bool {
  let filled = 0;
  let hasEquals = false;
  for (let k = firstInQuery; k < count; k++) {
    const piece = pieceAt(k);
    if (piece.start == piece.stop) hasEmpty = true;
    else filled++;
    if (piece.equals >= 0) hasEquals = true;
  }
  return filled == 1 && !hasEquals;
}

function nameHash(piece: Piece): u32 {
  const hash = hashOf(url + <usize>piece.start, url + <usize>piece.equals, 0);
  return <u32>(hash ^ (hash >> 32));
}

/** The parameter with the name of a piece, or -1. */
function find(piece: Piece, hash: u32): i32 {
  const length = piece.equals - piece.start;
  for (let k = 0; k < found; k++) {
    const at = column(k);
    const nameAt = load<i32>(at, NAME_AT);
    if (load<u32>(at, NAME_HASH) != hash || load<i32>(at, NAME_END) - nameAt != length) continue;
    if (isSame(url + <usize>nameAt, url + <usize>piece.start, <usize>length)) return k;
  }
  return NONE;
}

function begin(number: i32, piece: Piece, hash: u32): void {
  const at = column(found);
  store<i32>(at, piece.start, NAME_AT);
  store<i32>(at, piece.equals, NAME_END);
  store<i32>(at, piece.stop, FIELD_END);
  store<u32>(at, hash, NAME_HASH);
  store<u32>(at, <u32>(piece.hash ^ (piece.hash >> 32)), FIELD_HASH);
  join(number, piece, found++);
}

function join(number: i32, piece: Piece, parameter: i32): void {
  const its = bit(parameter);
  piece.parameter = parameter;
  if (((inPath | inQuery) & its) != 0) several |= its;
  if (number < firstInQuery) inPath |= its;
  else inQuery |= its;
}

/**
 * Chains the pieces of the query without those of a parameter, and without empty ones if the query has that parameter.
 */
function queryHash(path: u64, parameter: i32): u64 {
  const drops = parameter != NONE && hasEmpty && (inQuery & bit(parameter)) != 0;
  let hash = path;
  let mark = QUESTION;
  for (let k = firstInQuery; k < count; k++) {
    const piece = pieceAt(k);
    if (parameter != NONE && piece.parameter == parameter) continue;
    if (drops && piece.start == piece.stop) continue;
    if (mark != QUESTION) mark = piece.separator;
    hash = mixed(hash ^ piece.hash) + <u64>mark * 0x9e3779b97f4a7c15;
    mark = 0;
  }
  return hash;
}

/** The hash of the path without the pieces of a parameter. */
function pathHash(parameter: i32): u64 {
  const rest = room(REST_PATH, <usize>queryAt, 0);
  let to = rest;
  let from = 0;
  for (let k = 0; k < firstInQuery; k++) {
    const piece = pieceAt(k);
    if (piece.parameter != parameter) continue;
    const kept = <usize>(piece.start - 1 - from);
    memory.copy(to, url + <usize>from, kept);
    to += kept;
    from = piece.stop;
  }
  const last = <usize>(queryAt - from);
  memory.copy(to, url + <usize>from, last);
  return hashOf(rest, to + last, PATH_SEED);
}
