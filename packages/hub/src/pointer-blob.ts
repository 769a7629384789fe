import { createHash } from "node:crypto"
import { formatLfsPointer, type LfsPointer } from "@assay/storage"

/** The blob of git that holds the pointer of a file. */
interface PointerBlob {
  readonly gitId: string
  /** Bytes of its text. */
  readonly size: number
}

/** Returns the facts of the blob that git stores instead of a file. */
export function pointerBlob(pointer: LfsPointer): PointerBlob {
  const text = formatLfsPointer(pointer)
  const gitId = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex")
  return { gitId, size: text.length }
}
