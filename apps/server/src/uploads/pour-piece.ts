import type { Hash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { AssayError } from "@assay/schemas"
import { orDiskFull } from "./or-disk-full.ts"
import type { PartGate } from "./part-gate.ts"

export interface PouredPiece {
  readonly offset: number
  /** Where the file ends: no piece goes past it. */
  readonly limit: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly hash?: Hash | undefined
  /** Through which every write goes. */
  readonly gate?: PartGate | undefined
}

const NO_ROOM = "There is no room left for the upload; what had arrived is kept, go on when there is."

/**
 * Writes a piece into a file from `offset` on, and answers with where it ends.
 * @throws `too_large`, `disk_full`, `upload_gone` of the gate, and what reading `bytes` throws
 */
export async function pourPiece(
  handle: FileHandle,
  { offset, limit, bytes, hash, gate }: PouredPiece,
): Promise<number> {
  let end = offset
  for await (const part of bytes) {
    if (end + part.byteLength > limit) {
      throw new AssayError("too_large", `More bytes came than the ${limit - offset} that were announced; send those.`)
    }
    hash?.update(part)
    const position = end
    const write = () => orDiskFull(NO_ROOM, () => writeAll(handle, part, position))
    await (gate === undefined ? write() : gate.write(write))
    end += part.byteLength
  }
  return end
}

/** The system may take less than it is given, when the disk is nearly full for one. */
async function writeAll(handle: FileHandle, part: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < part.byteLength;) {
    const { bytesWritten } = await handle.write(part, written, part.byteLength - written, position + written)
    written += bytesWritten
  }
}
