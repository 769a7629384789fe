import { createHash } from "node:crypto"
import { AssayError, isAssayError } from "@assay/schemas"
import { readPieces } from "../pieces/read-pieces.ts"
import { holdUpload, NO_LEASE } from "../upload-lease.ts"
import {
  deletePieces,
  dropPieces,
  findUpload,
  listPieces,
  type StoredPiece,
  type UploadRow,
  type UploadsContext,
} from "../upload-rows.ts"
import { checkAge, type UploadTarget } from "../resumable/upload-state.ts"
import {
  isMultipart,
  multipartOf,
  partOf,
  unknownMultipart,
  type MultipartUpload,
  type UploadPart,
} from "./multipart-rows.ts"

/** Receives the bytes of all parts, with the rights of whoever sends the request. */
export type FinishMultipart = (upload: MultipartUpload, bytes: AsyncIterable<Uint8Array>, size: number) => Promise<void>

/** Makes the file of an upload: see `complete` of `MultipartUploads`. */
export async function completeParts(
  context: UploadsContext,
  id: string,
  {
    to,
    parts,
    finish,
  }: {
    readonly to: UploadTarget
    readonly parts: readonly Pick<UploadPart, "number" | "etag">[]
    readonly finish: FinishMultipart
  },
): Promise<MultipartUpload> {
  if (!isMultipart(await findUpload(context, id), to)) throw unknownMultipart(id)
  return holdUpload(context, id, async ({ row, change }) => {
    const upload = multipartOf(row)
    const digest = digestOf(parts)
    if (row.completed === 1) return checkRepeated(row, digest)
    await checkAge(context, row)
    const storage = await context.pieces.open()
    const all = await listPieces(context, id)
    const { pieces, size } = chosen(all, parts)
    await finish(upload, readPieces(storage, id, pieces, { start: 0, end: size - 1 }), size)
    // The file is in its fileset, which is what the client asked for, also if the note of it fails.
    await change({
      set: { completed: 1, sha256: digest, ...NO_LEASE },
      pieces: (queries) => dropPieces(queries, id, 0),
    }).catch((error: unknown) => {
      if (isAssayError(error, "upload_locked")) throw error
    })
    // Without its pieces, a later request does not write the file again.
    await deletePieces(
      storage,
      all.map(({ path }) => path),
    )
    return upload
  })
}

/** Returns the digest of a list of parts. The ETag of a part is another one each time that it is sent. */
function digestOf(parts: readonly Pick<UploadPart, "number" | "etag">[]): string {
  const text = parts.map(({ number, etag }) => `${number} ${etag}\n`).join("")
  return createHash("sha256").update(text).digest("hex")
}

/** Returns an upload that was completed with the same parts. @throws `bad_upload`, as S3's InvalidPart */
function checkRepeated(row: UploadRow, digest: string): MultipartUpload {
  // An older version completed it without a digest.
  if (row.sha256 === null || row.sha256 === digest) return multipartOf(row)
  const message = "The upload was completed with other parts, and its file is not changed. Begin a new upload."
  throw new AssayError("bad_upload", message, { context: { s3: "InvalidPart" } })
}

/** Returns the pieces of the named parts, one behind the other. @throws `bad_upload`, as S3's InvalidPart */
function chosen(
  all: readonly StoredPiece[],
  parts: readonly Pick<UploadPart, "number" | "etag">[],
): { readonly pieces: readonly StoredPiece[]; readonly size: number } {
  const known = new Map(all.map((piece) => [piece.start, piece]))
  const pieces: StoredPiece[] = []
  let size = 0
  for (const { number, etag } of parts) {
    const piece = known.get(number)
    if (piece === undefined || partOf(piece).etag !== etag) {
      const reason = piece === undefined ? "has not arrived" : "was sent again, and has another ETag"
      const message = `Part ${number} of the upload ${reason}. Send the part, and name the ETag of the response.`
      throw new AssayError("bad_upload", message, { context: { s3: "InvalidPart" } })
    }
    pieces.push({ ...piece, start: size })
    size += piece.size
  }
  return { pieces, size }
}
