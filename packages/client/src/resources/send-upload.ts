import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { CallOptions } from "../client-options.ts"
import type { NewUpload, UploadAddress, Uploads } from "./uploads.ts"

export interface SendUploadOptions extends CallOptions {
  readonly workspace: string
  readonly fileset: string
  readonly upload: NewUpload
  /** Reads the bytes from `start` up to, not including, `end`. Called again for a piece that did not arrive. */
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>
  /** An upload that was started earlier. If it no longer exists, a new one is started. */
  readonly resume?: UploadAddress
  /** Number of bytes in one request, which are held in memory. Default 8 MiB. */
  readonly pieceSize?: number
  /** Maximum number of consecutive failed requests that are repeated. Default 5. */
  readonly retries?: number
  /** Waits before repetition number `attempt`, counted from 0. */
  readonly pause: (attempt: number) => Promise<void>
  /** Called when the upload has an address, which another process can continue. */
  readonly onStart?: (upload: UploadAddress) => void
  /** Called with the number of bytes that the server has. */
  readonly onOffset?: (offset: number) => void
}

const DEFAULT_PIECE_SIZE = 8_388_608
const REPEATABLE = new Set([
  "server_unreachable",
  "unavailable",
  "too_many_requests",
  "upload_offset",
  "upload_checksum",
  "upload_locked",
])

/** Sends a whole file through a resumable upload. After a failure it continues at the offset of the server. */
export async function sendUpload(uploads: Uploads, options: SendUploadOptions): Promise<void> {
  const { upload, read, pieceSize = DEFAULT_PIECE_SIZE, retries = 5, signal } = options
  const call = { signal }
  let { address, offset } = await begin(uploads, options, call)
  let failures = 0
  while (offset < upload.size) {
    try {
      const piece = await read(offset, Math.min(offset + pieceSize, upload.size))
      const reached = await uploads.append(address, offset, piece, call)
      if (reached <= offset) throw new AssayError("bad_answer", `The upload of '${upload.path}' does not grow.`)
      failures = 0
      offset = reached
      options.onOffset?.(offset)
    } catch (error) {
      failures += 1
      if (failures > retries || !isRepeatable(error)) throw error
      await options.pause(failures - 1)
      ;({ address, offset } = await begin(uploads, { ...options, resume: address }, call))
    }
  }
}

interface Standing {
  readonly address: UploadAddress
  readonly offset: number
}

async function begin(uploads: Uploads, options: SendUploadOptions, call: CallOptions): Promise<Standing> {
  const { workspace, fileset, upload, resume } = options
  if (resume !== undefined) {
    try {
      return { address: resume, offset: await uploads.offset(resume, call) }
    } catch (error) {
      if (!isAssayError(error, "not_found") && !isAssayError(error, "upload_gone")) throw error
    }
  }
  const address = await uploads.create(workspace, fileset, upload, call)
  options.onStart?.(address)
  return { address, offset: 0 }
}

function isRepeatable(error: unknown): boolean {
  return isAssayError(error) && REPEATABLE.has(error.code)
}
