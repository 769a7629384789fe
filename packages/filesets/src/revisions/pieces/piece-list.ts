import type { EndedFolder } from "./open-folders.ts"
import { packText, unpackText } from "./piece-format.ts"

/** A piece in a revision. The same piece can be in other revisions, at another index. */
export interface TreePiece {
  /** See `pieceDigest`. */
  readonly digest: string
  /** Path of its first file. */
  readonly path: string
  /** Index of its first file. */
  readonly from: number
  /** Number of its files. */
  readonly count: number
  /** The folders that began in an earlier piece and end in this one. */
  readonly ended: readonly EndedFolder[]
}

/** Servers that know no pieces fail to read this text. They never take it for an empty list. */
const HEADER = Buffer.from("assay file pieces 1\n")

/** Formats the pieces of a revision for the database, in the place where small revisions have their files. */
export async function packPieces(pieces: readonly TreePiece[]): Promise<Uint8Array> {
  return Buffer.concat([HEADER, await packText(JSON.stringify(pieces))])
}

/** Returns the pieces of a revision. Undefined if the bytes are files. */
export async function unpackPieces(bytes: Uint8Array): Promise<readonly TreePiece[] | undefined> {
  if (!HEADER.equals(bytes.subarray(0, HEADER.length))) return undefined
  return JSON.parse(await unpackText(bytes.subarray(HEADER.length))) as readonly TreePiece[]
}
