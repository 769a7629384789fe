import { compareCodePoints } from "@assay/storage"
import { firstFrom, type FolderRange } from "../file-order.ts"
import { folderIds } from "../folder-ids.ts"
import type { OrderedFiles } from "../ordered-files.ts"
import type { RevisionFile } from "../revision-file.ts"
import type { TreePiece } from "./piece-list.ts"

/** Reads the pieces of a fileset. */
export interface PieceReader {
  read(digest: string): Promise<readonly RevisionFile[]>
  /** Returns the digests of the pieces of the revision that can contain a file with one of these contents. */
  find(sha256s: ReadonlySet<string>): Promise<ReadonlySet<string>>
}

/** Returns the files of a revision that is stored in pieces. Only their list is in memory. */
export function piecedFiles(pieces: readonly TreePiece[], reader: PieceReader): OrderedFiles {
  const last = pieces.at(-1)
  const count = last === undefined ? 0 : last.from + last.count

  async function indexOf(path: string): Promise<number> {
    const piece = pieces[firstAfter(pieces, (one) => compareCodePoints(one.path, path) > 0) - 1]
    if (piece === undefined) return 0
    return piece.from + firstFrom(await reader.read(piece.digest), path)
  }

  const pieceAt = (index: number) => pieces[firstAfter(pieces, (one) => one.from > index) - 1]

  async function idsOf(folders: readonly FolderRange[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>()
    const within = new Map<TreePiece, FolderRange[]>()
    for (const { path, from, to } of folders) {
      const piece = pieceAt(to - 1)
      if (piece === undefined) continue
      if (from >= piece.from) {
        const ranges = within.get(piece) ?? []
        ranges.push({ path, from: from - piece.from, to: to - piece.from })
        within.set(piece, ranges)
      } else {
        const ended = piece.ended.find((folder) => folder.path === path)
        if (ended !== undefined) ids.set(path, ended.id)
      }
    }
    for (const [{ digest }, ranges] of within) {
      for (const [path, id] of folderIds(await reader.read(digest), ranges)) ids.set(path, id)
    }
    return ids
  }

  return {
    count,
    held: pieces.reduce((sum, { ended }) => sum + 1 + ended.length, 0),
    async runAt(index) {
      const piece = index < count ? pieceAt(index) : undefined
      if (piece === undefined) return { from: count, files: [] }
      return { from: piece.from, files: await reader.read(piece.digest) }
    },
    indexOf,
    folderIds: idsOf,
    async withDigests(sha256s) {
      const digests = await reader.find(sha256s)
      const found: RevisionFile[] = []
      for (const { digest } of pieces) {
        if (!digests.has(digest)) continue
        for (const file of await reader.read(digest)) {
          if (file.sha256 !== null && sha256s.has(file.sha256)) found.push(file)
        }
      }
      return found
    },
  }
}

/** Returns the index of the first piece that is after a position. */
function firstAfter(pieces: readonly TreePiece[], isAfter: (piece: TreePiece) => boolean): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    const piece = pieces[middle]
    if (piece !== undefined && isAfter(piece)) high = middle
    else low = middle + 1
  }
  return low
}
