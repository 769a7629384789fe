import type { ObjectPart } from "@assay/uploads"
import type { ReadResult } from "@assay/storage"
import type { ChunkFinder, ChunkSource } from "./find-chunks.ts"
import type { FileTerm } from "./format/file-terms.ts"
import { createXorbReader } from "./format/xorb-reader.ts"
import { xorbObject, type XetStores } from "./xet-stores.ts"

/** Yields a part of a file from its chunks, in memory that nobody else uses. Keeps a few chunks. @throws `bad_upload` if one of them is not here any more */
export async function* readTerms(
  stores: XetStores,
  finder: ChunkFinder,
  terms: readonly FileTerm[],
  { start, end }: ObjectPart,
): AsyncGenerator<Uint8Array, void> {
  let position = 0
  for (const term of terms) {
    if (position > end) return
    if (position + term.size > start) {
      yield* cut(readTerm(stores, await finder.sources(term)), { start: start - position, end: end - position })
    }
    position += term.size
  }
}

async function* readTerm(stores: XetStores, sources: readonly ChunkSource[]): AsyncGenerator<Uint8Array, void> {
  const { registry, objects, repository } = stores
  const { ws, name } = repository
  for (const { path, xorb, start, end } of sources) {
    if (path === undefined) yield* unpacked(objects.read(xorbObject(stores, xorb), { start, end, isTransient: true }))
    else yield* copied(await registry.revisions.read(ws, name, path, { range: { kind: "from", start, end } }))
  }
}

async function* copied({ bytes, release }: Pick<ReadResult, "bytes" | "release">): AsyncGenerator<Uint8Array, void> {
  for await (const piece of bytes) {
    yield Buffer.from(piece)
    release?.(piece)
  }
}

/** Yields the bytes of the chunks of a part of a xorb. Nothing else uses their memory. */
async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let chunks: Uint8Array[] = []
  const reader = createXorbReader((bytes) => chunks.push(Buffer.from(bytes)))
  for await (const piece of packed) {
    reader.push(piece)
    yield* chunks
    chunks = []
  }
  reader.end()
}

/** Yields the bytes from `start` to `end`, which may lie outside. */
export async function* cut(
  bytes: AsyncIterable<Uint8Array>,
  { start, end }: ObjectPart,
): AsyncGenerator<Uint8Array, void> {
  let position = 0
  for await (const piece of bytes) {
    const from = Math.max(0, start - position)
    const to = Math.min(piece.length, end + 1 - position)
    if (from < to) yield piece.subarray(from, to)
    position += piece.length
    if (position > end) return
  }
}
