import type { RevisionFile } from "../revision-file.ts"
import { createOpenFolders, type EndedFolder } from "./open-folders.ts"
import { formatFiles, pieceDigest } from "./piece-format.ts"
import type { TreePiece } from "./piece-list.ts"

/** Where pieces end. */
export interface PieceSizes {
  readonly minFiles: number
  readonly maxFiles: number
  /** One of this number of paths ends a piece. */
  readonly oneIn: number
  /** Maximum characters of the paths of a piece. */
  readonly maxText: number
}

export const PIECE_SIZES: PieceSizes = { minFiles: 512, maxFiles: 4096, oneIn: 1024, maxText: 1_048_576 }

/** The files of a piece, and their JSON. */
export interface CutPiece {
  readonly digest: string
  readonly files: readonly RevisionFile[]
  readonly json: string
}

export interface PieceCutter {
  /** Adds the next file. Returns the piece before it, if that ends here. */
  add(file: RevisionFile): CutPiece | undefined
  /** Returns the last piece. */
  end(): CutPiece | undefined
  /** The pieces that have ended. */
  readonly pieces: readonly TreePiece[]
}

/**
 * Cuts files into pieces, in the order of their paths. A path decides whether a piece ends after it, so that a new or removed
 * file changes the pieces around it and no others.
 */
export function createPieceCutter({ minFiles, maxFiles, oneIn, maxText }: PieceSizes = PIECE_SIZES): PieceCutter {
  const folders = createOpenFolders()
  const pieces: TreePiece[] = []
  let files: RevisionFile[] = []
  let text = 0
  let from = 0
  let ended: EndedFolder[] = []

  function isFull(): boolean {
    const last = files.at(-1)
    if (last === undefined) return false
    if (files.length >= maxFiles || text >= maxText) return true
    return files.length >= minFiles && hashOf(last.path) % oneIn === 0
  }

  function endFolders(path?: string): void {
    // The id of a folder within one piece is computed from the piece.
    for (const folder of folders.endBefore(path)) {
      if (folder.from < from) ended.push({ ...folder, path: copyOf(folder.path) })
    }
  }

  function cut(): CutPiece | undefined {
    const [first] = files
    if (first === undefined) return undefined
    const json = formatFiles(files)
    const piece = { digest: pieceDigest(json), files, json }
    pieces.push({ digest: piece.digest, path: copyOf(first.path), from, count: files.length, ended })
    from += files.length
    files = []
    text = 0
    ended = []
    return piece
  }

  return {
    pieces,
    add(file) {
      endFolders(file.path)
      const piece = isFull() ? cut() : undefined
      folders.add(file, from + files.length)
      files.push(file)
      text += file.path.length
      return piece
    },
    end() {
      endFolders()
      return cut()
    },
  }
}

/** Copies a text. A path can be a slice of a whole page of a listing, which would stay in memory with it. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}

/** Returns a number that looks random: FNV-1a over the characters of a text. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93)
  // The low bits of FNV-1a depend on the low bits of the characters alone.
  return (hash ^ (hash >>> 15)) >>> 0
}
