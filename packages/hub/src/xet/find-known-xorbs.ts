import { LRUCache } from "lru-cache"
import { createChunkFinder, type ChunkFinder, type ChunkSpan } from "./find-chunks.ts"
import { parseTerms } from "./format/file-terms.ts"
import { writeShard, type KnownXorb, type ShardKey } from "./format/write-shard.ts"
import type { XetStores } from "./xet-stores.ts"

/** Maximum number of chunks in an answer, which has 48 bytes for each: 16 GiB of files on average. */
const MAX_CHUNKS = 262_144

/** Maximum number of xorbs in an answer to a chunk that is not known. A xorb of large files has 64 MiB. */
const MAX_RECENT_XORBS = 512

/** How often a token gets the recent xorbs. Clients upload up to five files at a time, and ask for each of them apart. */
const MAX_TELLINGS = 8

/** Maximum number of tokens that are remembered. The holder of a forgotten one gets the recent xorbs again. */
const MAX_TOKENS = 10_000

export interface AskedChunk {
  readonly chunk: string
  /** The token of the client, which has a new one for each upload. */
  readonly token: string
  readonly shardKey: ShardKey
}

/**
 * Creates a function that tells clients which chunks they need not send. It returns a shard with the xorbs of the files that have a chunk,
 * because a file that shares one chunk with them mostly shares more. Some clients ask only for the first chunk of a file: if the chunk is not
 * known, a token gets the xorbs of the latest files some times, which are most likely what the rest of the file shares. Undefined: there are
 * none.
 */
export function createKnownXorbs(): (stores: XetStores, asked: AskedChunk) => Promise<Buffer | undefined> {
  const told = new LRUCache<string, number>({ maxSize: MAX_TOKENS, sizeCalculation: () => 1 })
  return async (stores, { chunk, token, shardKey }) => {
    const { xet, fileset } = stores
    const known = await describeXorbs(stores, await xorbsBeside(stores, chunk), shardKey)
    const times = told.get(token) ?? 0
    if (known !== undefined || times >= MAX_TELLINGS) return known
    told.set(token, times + 1)
    return describeXorbs(stores, await xet.recentXorbs(fileset, MAX_RECENT_XORBS), shardKey)
  }
}

/** Returns the xorbs of the files that have a chunk. */
async function xorbsBeside({ xet, fileset }: XetStores, chunk: string): Promise<ReadonlySet<string>> {
  const first = await xet.findChunk(fileset, chunk)
  if (first === undefined) return new Set()
  const hashes = new Set([first])
  for (const sha256 of await xet.filesWith(fileset, first)) {
    const file = await xet.file(fileset, sha256, "committed")
    for (const { xorb } of parseTerms(file?.terms ?? new Uint8Array(0))) hashes.add(xorb)
  }
  return hashes
}

async function describeXorbs(
  stores: XetStores,
  hashes: Iterable<string>,
  shardKey: ShardKey,
): Promise<Buffer | undefined> {
  const finder = createChunkFinder(stores)
  const known: KnownXorb[] = []
  let count = 0
  for (const hash of hashes) {
    const xorb = await describe(finder, hash)
    if (xorb === undefined) continue
    count += xorb.chunks.length
    if (count > MAX_CHUNKS) break
    known.push(xorb)
  }
  return known.length === 0 ? undefined : writeShard(known, shardKey)
}

/** Describes a xorb of which at least one chunk is here. */
async function describe(finder: ChunkFinder, hash: string): Promise<KnownXorb | undefined> {
  const chunks = await finder.chunksOf(hash)
  if (await finder.isWaiting(hash)) return { hash, chunks, isUsable: () => true }
  const spans = await finder.spans(hash)
  return spans.length === 0 ? undefined : { hash, chunks, isUsable: (index) => isIn(spans, index) }
}

function isIn(spans: readonly ChunkSpan[], index: number): boolean {
  return spans.some(({ first, end }) => first <= index && index < end)
}
