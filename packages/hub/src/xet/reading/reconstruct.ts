import type { XetFile } from "@assay/uploads"
import { resolveRange, type ByteRange } from "@assay/storage"
import { createChunkFinder, lengthOf } from "../find-chunks.ts"
import { sizeOfChunks, type ListedChunk } from "../format/chunk-list.ts"
import { CHUNK_HEADER_BYTES } from "../format/unpack-chunk.ts"
import { parseTerms, type FileTerm } from "../format/file-terms.ts"
import type { XetStores } from "../xet-stores.ts"

/** A term, and where it begins in its file. */
export interface PlacedTerm extends FileTerm {
  readonly start: number
}

/** The terms from which a client makes a part of a file. */
export interface Reconstruction {
  /** Bytes of the first term before the part. */
  readonly offset: number
  readonly terms: readonly PlacedTerm[]
}

/**
 * Returns the terms of a part of a file. The first and the last one begin and end with the chunks that the part needs.
 * @param range default: the whole file
 * @throws `range_not_satisfiable`
 */
export async function reconstruct(
  stores: XetStores,
  file: Pick<XetFile, "size" | "terms">,
  range: ByteRange | undefined,
): Promise<Reconstruction> {
  const { start, end } = resolveRange(range ?? { kind: "from", start: 0 }, file.size)
  const terms = placed(parseTerms(file.terms)).filter((term) => term.start <= end && term.start + term.size > start)
  const finder = createChunkFinder(stores)
  const trimmed: PlacedTerm[] = []
  for (const term of terms) {
    const isInside = term.start >= start && term.start + term.size <= end + 1
    trimmed.push(isInside ? term : trim(term, await finder.chunksOf(term.xorb), { start, end }))
  }
  return { offset: start - (trimmed[0]?.start ?? start), terms: trimmed }
}

function placed(terms: readonly FileTerm[]): readonly PlacedTerm[] {
  let start = 0
  return terms.map((term) => {
    const at = start
    start += term.size
    return { ...term, start: at }
  })
}

/** Leaves out the chunks of a term that a part does not need. */
function trim(
  term: PlacedTerm,
  chunks: readonly ListedChunk[],
  part: { readonly start: number; readonly end: number },
): PlacedTerm {
  let { first, end, start, size } = term
  for (;;) {
    const length = lengthOf(chunks, first, first + 1, "size")
    if (start + length > part.start || first + 1 >= end) break
    first += 1
    start += length
    size -= length
  }
  for (;;) {
    const length = lengthOf(chunks, end - 1, end, "size")
    if (start + size - length <= part.end || first + 1 >= end) break
    end -= 1
    size -= length
  }
  return { xorb: term.xorb, first, end, start, size }
}

/** Chunks of a xorb that a client fetches with one request. */
export interface FetchedChunks {
  readonly first: number
  readonly end: number
  /** Bytes of the answer, which clients count. */
  readonly packed: number
}

/**
 * Returns what a client fetches for some terms, by xorb, in the order of the chunks. Terms that overlap or follow each other are fetched
 * together: clients expect no chunk twice.
 */
export async function fetchesOf(
  { xet, fileset }: XetStores,
  terms: readonly PlacedTerm[],
): Promise<ReadonlyMap<string, readonly FetchedChunks[]>> {
  const fetches = new Map<string, readonly FetchedChunks[]>()
  for (const [xorb, own] of Map.groupBy(terms, (term) => term.xorb)) {
    const merged = mergeTerms(own)
    const hasOverlap = merged.some(({ overlaps }) => overlaps)
    const list = hasOverlap ? (await xet.chunkLists(fileset, [xorb])).get(xorb) : undefined
    const sized = merged.map(({ first, end, size }) => ({
      first,
      end,
      packed: (list === undefined ? size : sizeOfChunks(list, first, end)) + (end - first) * CHUNK_HEADER_BYTES,
    }))
    fetches.set(xorb, sized)
  }
  return fetches
}

interface MergedTerms {
  readonly first: number
  readonly end: number
  /** Sum of the terms, which counts chunks twice if they overlap. */
  readonly size: number
  readonly overlaps: boolean
}

function mergeTerms(terms: readonly PlacedTerm[]): readonly MergedTerms[] {
  const merged: MergedTerms[] = []
  for (const { first, end, size } of terms.toSorted((one, other) => one.first - other.first || other.end - one.end)) {
    const last = merged.at(-1)
    if (last === undefined || first > last.end) merged.push({ first, end, size, overlaps: false })
    else if (end > last.end) {
      const overlaps = last.overlaps || first < last.end
      merged[merged.length - 1] = { first: last.first, end, size: last.size + size, overlaps }
    }
  }
  return merged
}
