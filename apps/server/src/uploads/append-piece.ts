import { constants } from "node:fs"
import { AssayError } from "@assay/schemas"
import { openRegularFile } from "@assay/storage"
import { pourPiece } from "./pour-piece.ts"
import type { PieceChecksum } from "./tus-headers.ts"

export interface Piece {
  readonly file: string
  readonly offset: number
  /** Bytes that the whole file has; no piece goes past it. */
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly checksum: PieceChecksum | undefined
}

/**
 * Appends a piece to a file and makes it durable; answers with the new length. A piece that breaks off stays as far as
 * it came, unless it has a checksum: then all of it or nothing. Nothing stays of one that is too long.
 * @throws `upload_checksum`, `too_large`, `disk_full`, and what reading `bytes` throws
 */
export async function appendPiece({ file, offset, length, bytes, checksum }: Piece): Promise<number> {
  const handle = await openRegularFile(file, constants.O_RDWR)
  try {
    const end = await pourPiece(handle, { offset, limit: length, bytes, hash: checksum?.hash })
    if (checksum !== undefined && !checksum.hash.digest().equals(checksum.expected)) {
      throw new AssayError("upload_checksum", "The piece does not have the checksum in Upload-Checksum; send it again.")
    }
    await handle.sync()
    return end
  } catch (error) {
    if (checksum !== undefined || (error instanceof AssayError && error.code === "too_large"))
      await handle.truncate(offset)
    throw error
  } finally {
    await handle.close()
  }
}
