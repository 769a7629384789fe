import { createChunkFinder, type ChunkFinder, type ChunkSpan } from "./find-chunks.ts"
import { parseTerms } from "./format/file-terms.ts"
import { writeShard, type KnownXorb, type ShardKey } from "./format/write-shard.ts"
import type { XetStores } from "./xet-stores.ts"

/** Maximum number of chunks in an answer, which has 48 bytes for each: 16 GiB of files on average. */
const MAX_CHUNKS = 262_144

/**
 * Returns a shard with the xorbs of the files that have a chunk, because a file that shares one chunk with them mostly shares more. Undefined:
 * the fileset does not have the chunk.
 */
export async function findKnownXorbs(
  stores: XetStores,
  chunk: string,
  shardKey: ShardKey,
): Promise<Buffer | undefined> {
  const { xet, fileset } = stores
  const first = await xet.findChunk(fileset, chunk)
  if (first === undefined) return undefined
  const finder = createChunkFinder(stores)
  const hashes = new Set([first])
  for (const sha256 of await xet.filesWith(fileset, first)) {
    const file = await xet.file(fileset, sha256, "committed")
    for (const { xorb } of parseTerms(file?.terms ?? new Uint8Array(0))) hashes.add(xorb)
  }
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
