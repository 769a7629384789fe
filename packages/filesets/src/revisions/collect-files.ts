import type { FilesetUsage } from "@assay/schemas"
import { createCommitHash } from "./commit-id.ts"
import { createPieceCutter, type CutPiece, type PieceSizes } from "./pieces/cut-pieces.ts"
import type { TreePiece } from "./pieces/piece-list.ts"
import type { RevisionFile } from "./revision-file.ts"

/** The files of a listing: all of them, or the pieces that were stored. */
export type CollectedFiles = { readonly files: readonly RevisionFile[] } | { readonly pieces: readonly TreePiece[] }

/** Files in the order of their paths, many at a time. */
export type FileListing = AsyncIterable<readonly RevisionFile[]> | Iterable<readonly RevisionFile[]>

/** The part of a listing that a revision needs. */
export interface CollectedListing {
  readonly commit: string
  readonly usage: FilesetUsage
  readonly collected: CollectedFiles
}

export interface CollectOptions {
  /** Maximum number of files that are collected in memory. More are stored in pieces. */
  readonly maxWhole: number
  readonly sizes?: PieceSizes | undefined
  /** Stores a group of pieces. */
  readonly store: (pieces: readonly CutPiece[]) => Promise<void>
}

/** Pieces that are stored together. They are in memory meanwhile. */
const GROUP = 8

/** Reads a listing, whose files come in the order of their paths. Large ones are stored in pieces as they arrive. */
export async function collectFiles(listing: FileListing, options: CollectOptions): Promise<CollectedListing> {
  const commit = createCommitHash()
  let count = 0
  let bytes = 0
  let files: RevisionFile[] = []
  let pieces: ReturnType<typeof createPieceWriter> | undefined
  for await (const some of listing) {
    count += some.length
    for (const file of some) {
      commit.add(file)
      bytes += file.size
    }
    if (pieces === undefined) {
      for (const file of some) files.push(file)
      if (files.length <= options.maxWhole) continue
      pieces = createPieceWriter(options)
      await pieces.add(files)
      files = []
    } else await pieces.add(some)
  }
  const collected = pieces === undefined ? { files } : { pieces: await pieces.end() }
  return { commit: commit.digest(), usage: { files: count, bytes }, collected }
}

function createPieceWriter({ sizes, store }: CollectOptions) {
  const cutter = createPieceCutter(sizes)
  const group: CutPiece[] = []
  return {
    async add(files: readonly RevisionFile[]): Promise<void> {
      for (const file of files) {
        const piece = cutter.add(file)
        if (piece !== undefined) group.push(piece)
        if (group.length === GROUP) await store(group.splice(0))
      }
    },
    /** Stores what is left. Returns all pieces. */
    async end(): Promise<readonly TreePiece[]> {
      const last = cutter.end()
      if (last !== undefined) group.push(last)
      await store(group)
      return cutter.pieces
    },
  }
}
