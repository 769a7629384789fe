import { AssayError } from "@assay/schemas"
import { databaseTime } from "@assay/database"
import { newPiecePath } from "../pieces/piece-storage.ts"
import { NO_LEASE } from "../upload-lease.ts"
import {
  addPieces,
  deletePieces,
  dropPieces,
  findUpload,
  listPieces,
  timeAfter,
  type UploadsContext,
} from "../upload-rows.ts"
import { checkAge, type UploadTarget } from "../resumable/upload-state.ts"
import { isMultipart, partOf, unknownMultipart, type UploadPart } from "./multipart-rows.ts"

export interface NewPart {
  /** 1 to 10,000. */
  readonly number: number
  readonly bytes: AsyncIterable<Uint8Array>
  /** Maximum number of bytes of all parts together. Undefined: no limit. */
  readonly maxBytes: number | undefined
  /** The SHA-256 that the bytes must have, lower-case hex. */
  readonly sha256?: string | undefined
  /** Whether nobody else uses the memory of the bytes. Default false. */
  readonly disposable?: boolean | undefined
}

/** Writes one part: see `putPart` of `MultipartUploads`. */
export async function receivePart(
  context: UploadsContext,
  id: string,
  to: UploadTarget,
  { number, bytes, maxBytes, sha256, disposable }: NewPart,
): Promise<UploadPart> {
  const row = await findUpload(context, id)
  if (!isMultipart(row, to) || row.completed === 1) throw unknownMultipart(id)
  await checkAge(context, row)
  const others = (await listPieces(context, id)).filter(({ start }) => start !== number)
  const room = maxBytes === undefined ? Infinity : maxBytes - others.reduce((sum, { size }) => sum + size, 0)
  const storage = await context.pieces.open()
  const path = newPiecePath(context, id)
  const { size } = await storage.write(path, within(bytes, room, maxBytes), { sha256, disposable })
  const piece = { start: number, size, path }
  try {
    const replaced = await context.database.write(
      async (queries) => {
        const open = await queries
          .updateTable("uploads")
          .set({ expires_at: timeAfter(context, context.lifetimeMs), ...NO_LEASE })
          .where((upload) => upload.and({ id, completed: 0 }))
          .where("leased_until", "<=", databaseTime(context))
          .returning("id")
          .executeTakeFirst()
        // A request that completes the upload must not take a part for the one that it has read.
        if (open === undefined) throw unknownMultipart(id)
        const dropped = await dropPieces(queries, id, number, number + 1)
        await addPieces(queries, id, [piece])
        return dropped
      },
      { small: true },
    )
    await deletePieces(storage, replaced)
  } catch (error) {
    await deletePieces(storage, [path])
    throw error
  }
  return partOf(piece)
}

async function* within(
  bytes: AsyncIterable<Uint8Array>,
  room: number,
  maxBytes: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  let left = room
  for await (const piece of bytes) {
    left -= piece.byteLength
    if (left < 0) {
      const message = `The parts of the upload have more than ${maxBytes} bytes together, the maximum of this server (ASSAY_MAX_UPLOAD_BYTES).`
      throw new AssayError("too_large", message)
    }
    yield piece
  }
}
