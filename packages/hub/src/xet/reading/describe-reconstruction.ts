import type { ByteRange } from "@assay/storage"
import type { XetStores } from "../xet-stores.ts"
import type { ChunkPlace } from "./packed-chunks.ts"
import { readableFile } from "./readable-file.ts"
import { fetchesOf, reconstruct, type FetchedChunks, type PlacedTerm } from "./reconstruct.ts"

export interface AskedReconstruction {
  /** Xet hash of the file. */
  readonly hash: string
  /** Undefined: the whole file. */
  readonly range: ByteRange | undefined
  readonly version: 1 | 2
  /** Returns the address of some chunks. */
  readonly urlOf: (place: ChunkPlace) => string
}

/**
 * Describes how a client makes a part of a file from chunks, in version 1 or 2 of the protocol. They differ in how they name what is to be
 * fetched.
 * @throws `not_found`, `range_not_satisfiable`
 */
export async function describeReconstruction(
  stores: XetStores,
  { hash, range, version, urlOf }: AskedReconstruction,
): Promise<object> {
  const file = await readableFile(stores, hash)
  const { offset, terms } = await reconstruct(stores, file, range)
  const common = { offset_into_first_range: offset, terms: terms.map(describeTerm) }
  const fetches = [...(await fetchesOf(stores, terms))]
  const described = (each: (fetched: FetchedChunks, url: string) => unknown) =>
    Object.fromEntries(
      fetches.map(([xorb, fetched]) => [
        xorb,
        fetched.map((one) => each(one, urlOf({ ...one, xorb, sha256: file.sha256 }))),
      ]),
    )
  if (version === 1) {
    const fetch_info = described((one, url) => ({ range: chunksOf(one), url, url_range: bytesOf(one) }))
    return { ...common, fetch_info }
  }
  const xorbs = described((one, url) => ({ url, ranges: [{ chunks: chunksOf(one), bytes: bytesOf(one) }] }))
  return { ...common, xorbs }
}

const describeTerm = (term: PlacedTerm) => ({
  hash: term.xorb,
  unpacked_length: term.size,
  range: chunksOf(term),
})

/** The end is not included. */
const chunksOf = ({ first, end }: Pick<FetchedChunks, "first" | "end">) => ({ start: first, end })
/** The end is included. Each address has only the chunks that it is for. */
const bytesOf = ({ packed }: FetchedChunks) => ({ start: 0, end: packed - 1 })
