import type { ObjectPart } from "@assay/uploads"
import { AssayError } from "@assay/schemas"
import { resolveRange, type ReadOptions, type ReadResult } from "@assay/storage"
import type { Repository } from "../../hub-address.ts"
import { createChunkFinder, lengthOf } from "../find-chunks.ts"
import type { ListedChunk } from "../format/chunk-list.ts"
import { runsOf, type TermRun } from "../format/file-terms.ts"
import { CHUNK_HEADER_BYTES, storedChunkHeader } from "../format/unpack-chunk.ts"
import { cut } from "../read-terms.ts"
import type { XetStores } from "../xet-stores.ts"

/** Chunks of a xorb that a file has. */
export interface ChunkPlace {
  /** SHA-256 of the file. */
  readonly sha256: string
  readonly xorb: string
  readonly first: number
  /** The chunk after the last one. */
  readonly end: number
}

/** Chunks as a xorb has them: each with a header, and not compressed. */
export interface PackedChunks {
  readonly size: number
  /** @throws `range_not_satisfiable`, `not_found` if the bytes of the file are gone */
  read(options: Pick<ReadOptions, "range" | "signal">): Promise<Omit<ReadResult, "file">>
}

/** Finds chunks that a file of the fileset has, or had. @throws `not_found` */
export async function openPackedChunks(stores: XetStores, place: ChunkPlace): Promise<PackedChunks> {
  const { xet, fileset, repository, registry } = stores
  const file = await xet.file(fileset, place.sha256, "readable")
  const spans = file && coverSpans(runsOf(file.terms, place.xorb), place)
  if (spans === undefined) throw gone(repository)
  const chunks = await createChunkFinder(stores).chunksOf(place.xorb)
  const size = packedSize(chunks, place)
  return {
    size,
    async read({ range, signal }) {
      const part = resolveRange(range ?? { kind: "from", start: 0 }, size)
      // The answer has a status before its first byte is read.
      if (!(await registry.revisions.hasContent(repository.ws, repository.name, place.sha256))) throw gone(repository)
      const bytes = readSpans({ stores, place, chunks, spans, part, signal })
      return range === undefined ? { bytes } : { bytes, range: part }
    },
  }
}

/** Returns runs that have all chunks of a place, each chunk once. Undefined: the file does not have them all. */
function coverSpans(runs: readonly TermRun[], { first, end }: ChunkPlace): readonly TermRun[] | undefined {
  const spans: TermRun[] = []
  let next = first
  for (const run of runs.toSorted((one, other) => one.first - other.first)) {
    if (run.first > next || next >= end) break
    if (run.end <= next) continue
    spans.push(run)
    next = run.end
  }
  return next >= end ? spans : undefined
}

const packedSize = (chunks: readonly ListedChunk[], { first, end }: Pick<TermRun, "first" | "end">) =>
  lengthOf(chunks, first, end, "size") + (end - first) * CHUNK_HEADER_BYTES

interface SpanRead {
  readonly stores: XetStores
  readonly place: ChunkPlace
  readonly chunks: readonly ListedChunk[]
  readonly spans: readonly TermRun[]
  /** Of the packed bytes. */
  readonly part: ObjectPart
  readonly signal: AbortSignal | undefined
}

async function* readSpans(read: SpanRead): AsyncGenerator<Uint8Array, void> {
  const { chunks, place, spans, part } = read
  // The chunk after the last one that was read, and the packed bytes before it.
  let next = place.first
  let packed = 0
  for (const span of spans) {
    const wanted = { first: next, end: Math.min(span.end, place.end) }
    const size = packedSize(chunks, wanted)
    if (packed + size > part.start && packed <= part.end) {
      const start = span.start + lengthOf(chunks, span.first, next, "size")
      yield* readSpan(read, { ...wanted, start }, { start: part.start - packed, end: part.end - packed })
    }
    next = wanted.end
    packed += size
  }
}

/** @param part of the packed bytes of the span; may lie outside */
async function* readSpan(
  { stores, place, chunks, signal }: SpanRead,
  span: TermRun,
  part: ObjectPart,
): AsyncGenerator<Uint8Array, void> {
  const { registry, repository } = stores
  const { used, packed, start } = neededChunks(chunks.slice(span.first, span.end), part)
  const from = span.start + start
  const range = { kind: "from", start: from, end: from + lengthOf(used, 0, used.length, "size") - 1 } as const
  const { ws, name } = repository
  const found = await registry.revisions.readContent(ws, name, place.sha256, { range, signal })
  yield* cut(withHeaders(used, found), { start: part.start - packed, end: part.end - packed })
}

/** Returns the chunks of which a part has bytes, and the bytes before them: packed, and as they are. */
function neededChunks(chunks: readonly ListedChunk[], part: ObjectPart) {
  let packed = 0
  let start = 0
  let first = 0
  for (const { size } of chunks) {
    if (packed + CHUNK_HEADER_BYTES + size > part.start) break
    packed += CHUNK_HEADER_BYTES + size
    start += size
    first += 1
  }
  let end = first
  for (let position = packed; position <= part.end && end < chunks.length; end += 1) {
    position += CHUNK_HEADER_BYTES + (chunks[end]?.size ?? 0)
  }
  return { used: chunks.slice(first, end), packed, start }
}

/** Yields the bytes of chunks, each after its header, in pieces like those that were read. */
async function* withHeaders(
  chunks: readonly ListedChunk[],
  { bytes, release }: Pick<ReadResult, "bytes" | "release">,
): AsyncGenerator<Uint8Array, void> {
  let index = 0
  // Bytes of the present chunk that are still to come.
  let left = 0
  for await (const piece of bytes) {
    const parts: Uint8Array[] = []
    for (let at = 0; at < piece.length;) {
      if (left === 0) {
        left = chunks[index]?.size ?? piece.length
        index += 1
        parts.push(storedChunkHeader(left))
      }
      const length = Math.min(left, piece.length - at)
      parts.push(piece.subarray(at, at + length))
      at += length
      left -= length
    }
    const packed = Buffer.concat(parts)
    release?.(piece)
    yield packed
  }
}

function gone({ ws, name }: Repository): AssayError {
  return new AssayError("not_found", `The file of '${ws}/${name}' that had these chunks was replaced. Read it again.`)
}
