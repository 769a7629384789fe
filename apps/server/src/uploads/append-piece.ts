import { open } from "node:fs/promises"
import { AssayError } from "@assay/schemas"
import type { PieceChecksum } from "./upload-checksum.ts"

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
 * it came, unless it has a checksum: then all of it or nothing.
 * @throws `upload_checksum`, `too_large`, and what reading `bytes` throws
 */
export async function appendPiece({ file, offset, length, bytes, checksum }: Piece): Promise<number> {
  const handle = await open(file, "r+")
  let end = offset
  try {
    for await (const part of bytes) {
      if (end + part.byteLength > length) {
        throw new AssayError("too_large", `The piece goes past Upload-Length ${length}; nothing of it was kept.`)
      }
      checksum?.hash.update(part)
      await handle.write(part, 0, part.byteLength, end)
      end += part.byteLength
    }
    if (checksum !== undefined && !checksum.hash.digest().equals(checksum.expected)) {
      throw new AssayError("upload_checksum", "The piece does not have the checksum in Upload-Checksum; send it again.")
    }
    await handle.sync()
    return end
  } catch (error) {
    if (checksum !== undefined || (error instanceof AssayError && error.code === "too_large"))
      await handle.truncate(offset)
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
    throw new AssayError(
      "disk_full",
      "There is no room left for the upload; what had arrived is kept, go on when there is.",
      { cause: error },
    )
  } finally {
    await handle.close()
  }
}
