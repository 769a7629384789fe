import { collectPieces } from "@assay/http"
import { invalidRequest, type AssayError } from "@assay/schemas"

/** About 60,000 labels. They are in memory while they are read. */
export const MAX_LABEL_BYTES = 32 * 1024 * 1024

/** Reads the text of a file with labels. @throws `invalid_request` for a larger file */
export async function readLabelText(bytes: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const pieces = collectPieces()
  for await (const piece of bytes) {
    if (pieces.length + piece.length > MAX_LABEL_BYTES) throw tooManyLabels(file)
    // A reader may use the memory of a piece again.
    pieces.add(Uint8Array.from(piece))
  }
  return new TextDecoder().decode(pieces.join())
}

export function tooManyLabels(file: string): AssayError {
  const message = `'${file}' has more than ${MAX_LABEL_BYTES / 1024 / 1024} MiB of labels; name another fileset.`
  return invalidRequest(["fileset"], message, "value_error", file)
}
