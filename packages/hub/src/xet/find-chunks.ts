import { AssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import { LRUCache } from "lru-cache"
import { parseChunkList, type ListedChunk } from "./format/chunk-list.ts"
import { parseTerms, type FileTerm } from "./format/file-terms.ts"
import { xorbObject, type XetStores } from "./xet-stores.ts"

/** Where the bytes of some chunks are: packed in a xorb that waits, or as they are in a file. First and last byte. */
export interface ChunkSource {
  /** Undefined: in the xorb. */
  readonly path: FilePath | undefined
  readonly xorb: string
  readonly start: number
  readonly end: number
}

/** Finds the chunks of a fileset. Remembers what it found, so it is used for one request only. */
export interface ChunkFinder {
  /** Returns the chunks of a xorb. @throws `bad_upload` if the fileset has never had the xorb */
  chunksOf(xorb: string): Promise<readonly ListedChunk[]>
  /** Returns where the bytes of a term are, in their order. @throws `bad_upload` if one of its chunks is not here any more */
  sources(term: FileTerm): Promise<readonly ChunkSource[]>
  /** Returns the parts of files with chunks of a xorb. Files that changed have none. */
  spans(xorb: string): Promise<readonly ChunkSpan[]>
  /** Returns whether the xorb itself waits. Restarts its lifetime. */
  isWaiting(xorb: string): Promise<boolean>
}

/** Chunks of a xorb that are in a file, one after the other. */
export interface ChunkSpan {
  readonly path: FilePath
  readonly first: number
  readonly end: number
  /** Where the first chunk begins in the file. */
  readonly start: number
}

/** A list of chunks has at most 320 KB. */
const MAX_LISTS = 64

export function createChunkFinder(stores: XetStores): ChunkFinder {
  const { xet, objects, fileset } = stores
  const lists = new LRUCache<string, readonly ListedChunk[]>({ max: MAX_LISTS })
  const waiting = new Map<string, Promise<boolean>>()
  const spans = new Map<string, Promise<readonly ChunkSpan[]>>()
  const placed = createPlacedFiles(stores)

  const finder: ChunkFinder = {
    async chunksOf(xorb) {
      const known = lists.get(xorb)
      if (known !== undefined) return known
      const list = (await xet.chunkLists(fileset, [xorb])).get(xorb)
      if (list === undefined) throw notHere(`Xorb ${xorb} was not sent to this repository.`)
      const parsed = parseChunkList(list)
      lists.set(xorb, parsed)
      return parsed
    },
    isWaiting: (xorb) => once(waiting, xorb, async () => (await objects.size(xorbObject(stores, xorb))) !== undefined),
    spans: (xorb) =>
      once(spans, xorb, async () => {
        const found: ChunkSpan[] = []
        for (const sha256 of await xet.filesWith(fileset, xorb)) found.push(...(await placed(sha256, xorb)))
        return found
      }),
    async sources(term) {
      const { xorb, first, end } = term
      const chunks = await finder.chunksOf(xorb)
      if (await finder.isWaiting(xorb)) {
        const start = lengthOf(chunks, 0, first, "packed")
        return [{ path: undefined, xorb, start, end: start + lengthOf(chunks, first, end, "packed") - 1 }]
      }
      return coverBySpans(chunks, await finder.spans(xorb), term)
    },
  }
  return finder
}

/** Returns a function that finds the parts of a committed file with chunks of a xorb. */
function createPlacedFiles({ xet, registry, repository: { ws, name }, fileset }: XetStores) {
  const files = new Map<string, Promise<ReadonlyMap<string, readonly ChunkSpan[]>>>()
  async function read(sha256: string): Promise<ReadonlyMap<string, readonly ChunkSpan[]>> {
    const byXorb = new Map<string, ChunkSpan[]>()
    const [file] = (await registry.revisions.find(ws, name, [sha256])).get(sha256) ?? []
    const known = file && (await xet.file(fileset, sha256, "committed"))
    if (file === undefined || known === undefined) return byXorb
    let start = 0
    for (const { xorb, first, end, size } of parseTerms(known.terms)) {
      const spans = byXorb.get(xorb) ?? []
      spans.push({ path: file.path, first, end, start })
      byXorb.set(xorb, spans)
      start += size
    }
    return byXorb
  }
  return async (sha256: string, xorb: string) => (await once(files, sha256, () => read(sha256))).get(xorb) ?? []
}

function coverBySpans(
  chunks: readonly ListedChunk[],
  spans: readonly ChunkSpan[],
  { xorb, first, end }: FileTerm,
): readonly ChunkSource[] {
  const sources: ChunkSource[] = []
  for (let next = first; next < end;) {
    const span = spans.find((candidate) => candidate.first <= next && next < candidate.end)
    if (span === undefined) throw notHere(`Chunk ${next} of xorb ${xorb} is in no file of this repository any more.`)
    const to = Math.min(end, span.end)
    const start = span.start + lengthOf(chunks, span.first, next, "size")
    sources.push({ path: span.path, xorb, start, end: start + lengthOf(chunks, next, to, "size") - 1 })
    next = to
  }
  return sources
}

/** Returns whether files have all chunks of a xorb. */
export function areCovered(count: number, spans: readonly ChunkSpan[]): boolean {
  let next = 0
  for (const { first, end } of spans.toSorted((a, b) => a.first - b.first)) {
    if (first > next) return false
    next = Math.max(next, end)
  }
  return next >= count
}

/** Returns the bytes of chunks, as they are or in their xorb. */
export function lengthOf(chunks: readonly ListedChunk[], first: number, end: number, which: "size" | "packed"): number {
  let length = 0
  for (let index = first; index < end; index++) length += chunks[index]?.[which] ?? 0
  return length
}

function once<T>(known: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const started = known.get(key)
  if (started !== undefined) return started
  const begun = work()
  known.set(key, begun)
  return begun
}

function notHere(what: string): AssayError {
  return new AssayError("bad_upload", `${what} Upload again: the client then sends all chunks.`)
}
