import type { Hash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { AssayError } from "@assay/schemas"

export interface PouredPiece {
  readonly offset: number
  /** Where the file ends: no piece goes past it. */
  readonly limit: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly hash?: Hash | undefined
}

/**
 * Writes a piece into a file from `offset` on, and answers with where it ends.
 * @throws `too_large`, `disk_full`, and what reading `bytes` throws
 */
export async function pourPiece(handle: FileHandle, { offset, limit, bytes, hash }: PouredPiece): Promise<number> {
  let end = offset
  for await (const part of bytes) {
    if (end + part.byteLength > limit) {
      throw new AssayError("too_large", `More bytes came than the ${limit - offset} that were announced; send those.`)
    }
    hash?.update(part)
    await write(handle, part, end)
    end += part.byteLength
  }
  return end
}

async function write(handle: FileHandle, part: Uint8Array, position: number): Promise<void> {
  try {
    await handle.write(part, 0, part.byteLength, position)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
    const message = "There is no room left for the upload; what had arrived is kept, go on when there is."
    throw new AssayError("disk_full", message, { cause: error })
  }
}
