import { setImmediate } from "node:timers/promises"
import type { ListedChunk } from "./chunk-list.ts"
import { ENTRY_BYTES, HEADER_BYTES, MAGIC, SECTION_END, VERSION } from "./shard-layout.ts"
import { HASH_BYTES, parseXetHash } from "./xet-hash.ts"

/** A xorb as a client gets it to know which chunks it need not send. */
export interface KnownXorb {
  readonly hash: string
  readonly chunks: readonly ListedChunk[]
  /** Returns whether a chunk can be used. */
  readonly isUsable: (index: number) => boolean
}

export interface ShardKey {
  readonly key: Uint8Array
  /** The keyed hash of this key. */
  readonly hash: (bytes: Uint8Array) => Uint8Array
  /** Seconds since 1970. */
  readonly made: number
  /** When clients forget the shard, in seconds since 1970. */
  readonly end: number
}

const FOOTER_BYTES = 200
const END = Buffer.concat([SECTION_END, Buffer.alloc(ENTRY_BYTES - HASH_BYTES)])

/**
 * Returns a shard that lists xorbs. The hashes of chunks are keyed: only a client that has a chunk can find it. A chunk that can't be used
 * gets zeros as its hash.
 */
export async function writeShard(xorbs: readonly KnownXorb[], shardKey: ShardKey): Promise<Buffer> {
  const entries: Buffer[] = []
  for (const xorb of xorbs) {
    entries.push(xorbEntries(xorb, shardKey))
    // Other requests go on while the chunks of large files are hashed.
    await setImmediate()
  }
  const xorbsStart = HEADER_BYTES + ENTRY_BYTES
  const footerStart = xorbsStart + entries.reduce((sum, { length }) => sum + length, 0) + ENTRY_BYTES
  return Buffer.concat([
    MAGIC,
    longs(VERSION, FOOTER_BYTES),
    END,
    ...entries,
    END,
    footer(shardKey, xorbsStart, footerStart),
  ])
}

function xorbEntries({ hash, chunks, isUsable }: KnownXorb, shardKey: ShardKey): Buffer {
  const bytes = Buffer.alloc((1 + chunks.length) * ENTRY_BYTES)
  bytes.set(parseXetHash(hash))
  let start = 0
  let packed = 0
  for (const [index, chunk] of chunks.entries()) {
    const at = (1 + index) * ENTRY_BYTES
    if (isUsable(index)) bytes.set(shardKey.hash(chunk.hash), at)
    bytes.writeUInt32LE(start, at + HASH_BYTES)
    bytes.writeUInt32LE(chunk.size, at + HASH_BYTES + 4)
    start += chunk.size
    packed += chunk.packed
  }
  bytes.writeUInt32LE(chunks.length, HASH_BYTES + 4)
  bytes.writeUInt32LE(start, HASH_BYTES + 8)
  bytes.writeUInt32LE(packed, HASH_BYTES + 12)
  return bytes
}

/** The lookup tables are empty, and begin where the xorbs end. Clients that need tables make them. */
function footer({ key, made, end }: ShardKey, xorbsStart: number, footerStart: number): Buffer {
  const tables = [footerStart, 0, footerStart, 0, footerStart, 0]
  const head = longs(1, HEADER_BYTES, xorbsStart, ...tables)
  const unused = [0, 0, 0, 0, 0, 0]
  return Buffer.concat([head, key, longs(made, end, ...unused, 0, 0, 0, footerStart)])
}

function longs(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8)
  for (const [index, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), index * 8)
  return bytes
}
