import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { FilePath, Storage } from "@assay/storage"
import { MAX_SIGNATURE_BYTES } from "./model-signature.ts"

/** Reads the signature among the files of a model. @throws `not_found`, and `bad_signature` if it is too large */
export async function readSignature(
  storage: Pick<Storage, "read">,
  path: FilePath,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { file, bytes } = await storage.read(path, { signal }).catch((error: unknown) => {
    if (!isAssayError(error) || error.code !== "not_found") throw error
    throw new AssayError("not_found", `The model has no signature '${path}'.`, { cause: error })
  })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_SIGNATURE_BYTES || file.size > MAX_SIGNATURE_BYTES) {
      throw new AssayError("bad_signature", `'${path}' is too large to be a signature (${file.size} bytes).`)
    }
    // The storage may use the memory of a piece again.
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces)
}
