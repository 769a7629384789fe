import type { FilesetUsage } from "@assay/schemas"
import { createCommitHash } from "./commit-id.ts"
import { createPieceCutter, type CutPiece, type PieceCutter, type PieceSizes } from "./pieces/cut-pieces.ts"
import type { TreePiece } from "./pieces/piece-list.ts"
import type { RevisionFile } from "./revision-file.ts"

/** The files of a listing: all of them, or the pieces that were stored. */
export type CollectedFiles = { readonly files: readonly RevisionFile[] } | { readonly pieces: readonly TreePiece[] }

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
export async function collectFiles(
  listing: AsyncIterable<RevisionFile>,
  { maxWhole, sizes, store }: CollectOptions,
): Promise<CollectedListing> {
  const commit = createCommitHash()
  let usage: FilesetUsage = { files: 0, bytes: 0 }
  let files: RevisionFile[] = []
  let pieces: { readonly cutter: PieceCutter; group: CutPiece[] } | undefined

  /** Stores a group when it is complete. */
  async function collect(group: CutPiece[], piece: CutPiece): Promise<void> {
    group.push(piece)
    if (group.length === GROUP) await store(group.splice(0))
  }

  for await (const file of listing) {
    commit.add(file)
    usage = { files: usage.files + 1, bytes: usage.bytes + file.size }
    if (pieces === undefined) {
      files.push(file)
      if (files.length <= maxWhole) continue
      pieces = { cutter: createPieceCutter(sizes), group: [] }
      for (const one of files) {
        const piece = pieces.cutter.add(one)
        if (piece !== undefined) await collect(pieces.group, piece)
      }
      files = []
      continue
    }
    const piece = pieces.cutter.add(file)
    if (piece !== undefined) await collect(pieces.group, piece)
  }
  if (pieces === undefined) return { commit: commit.digest(), usage, collected: { files } }
  const last = pieces.cutter.end()
  if (last !== undefined) pieces.group.push(last)
  await store(pieces.group)
  return { commit: commit.digest(), usage, collected: { pieces: pieces.cutter.pieces } }
}
