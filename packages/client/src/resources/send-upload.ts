import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { CallOptions } from "../client-options.ts"
import type { NewUpload, UploadAddress, Uploads } from "./uploads.ts"

export interface SendUploadOptions extends CallOptions {
  readonly workspace: string
  readonly fileset: string
  readonly upload: NewUpload
  /** Reads the bytes from `start` up to, not including, `end`. Called again for a piece that did not arrive. */
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>
  /**
   * Reads the bytes from `start` to the end. Then one request sends all of them, which is faster. If none of its bytes arrive, pieces follow.
   * Browsers can't stream requests.
   */
  readonly stream?: (start: number) => AsyncIterable<Uint8Array>
  /** Returns the SHA-256 of the whole file in hex, if `upload` has none. Called before the last bytes are sent. Null: it is unknown. */
  readonly sha256?: () => Promise<string | null>
  /** An upload that was started earlier. If it no longer exists, a new one is started. */
  readonly resume?: UploadAddress
  /** Number of bytes in one request. Two such pieces are held in memory. Default 16 MiB. */
  readonly pieceSize?: number
  /** Maximum number of consecutive failed requests that are repeated. Default 5. */
  readonly retries?: number
  /** Waits before repetition number `attempt`, counted from 0. */
  readonly pause: (attempt: number) => Promise<void>
  /** Called when the upload has an address, which another process can continue. */
  readonly onStart?: (upload: UploadAddress) => void
  /** Called with the number of bytes that the server has, after each request. */
  readonly onOffset?: (offset: number) => void
}

const DEFAULT_PIECE_SIZE = 16_777_216
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
  const { upload, pieceSize = DEFAULT_PIECE_SIZE, retries = 5, signal, stream } = options
  const call = { signal }
  const announce = createAnnouncing(uploads, options)
  const reader = readAhead(options.read, pieceSize, upload.size)
  let { address, offset } = await begin(uploads, options, call)
  let isStreamed = stream !== undefined

  async function append(): Promise<number> {
    if (stream === undefined || !isStreamed) {
      await announce(address)
      return uploads.append(address, offset, await reader(offset), call)
    }
    const length = upload.size - offset
    return uploads.append(
      address,
      offset,
      withEnd(stream(offset), () => announce(address)),
      { length, signal },
    )
  }

  // Not while a request waits for the last bytes: a digest of bytes that an earlier run sent takes as long as reading them.
  if (offset > 0 && offset < upload.size) await announce(address)
  let failures = 0
  while (offset < upload.size) {
    try {
      const reached = await append()
      if (reached <= offset) throw new AssayError("bad_answer", `The upload of '${upload.path}' does not grow.`)
      failures = 0
      offset = reached
      options.onOffset?.(offset)
    } catch (error) {
      failures += 1
      if (failures > retries || !(isRepeatable(error) || (isStreamed && isTooLarge(error)))) throw error
      await options.pause(failures - 1)
      const before = offset
      ;({ address, offset } = await begin(uploads, { ...options, resume: address }, call))
      if (offset > before) failures = 0
      // A proxy may limit requests, or pass them on only when they are whole.
      else if (!isAssayError(error, "upload_locked")) isStreamed = false
      options.onOffset?.(offset)
    }
  }
}

/** Returns a function that announces the digest of the file once to each upload, unless it was known when the upload began. */
function createAnnouncing(uploads: Uploads, { sha256, signal }: SendUploadOptions) {
  let announced: string | undefined
  return async (address: UploadAddress): Promise<void> => {
    if (sha256 === undefined || announced === address.id) return
    const digest = await sha256()
    if (digest !== null) await uploads.announce(address, digest, { signal })
    announced = address.id
  }
}

/** Yields the bytes, and calls `beforeLast` before the last of them. */
async function* withEnd(
  bytes: AsyncIterable<Uint8Array>,
  beforeLast: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let last: Uint8Array | undefined
  for await (const piece of bytes) {
    if (last !== undefined) yield last
    last = piece
  }
  await beforeLast()
  if (last !== undefined) yield last
}

/** Returns whether a server or a proxy refuses a request because of its length. */
function isTooLarge(error: unknown): boolean {
  return isAssayError(error) && error.context["status"] === 413
}

/** Returns a function that reads the piece at an offset, and begins to read the one after it while the first is sent. */
function readAhead(read: SendUploadOptions["read"], pieceSize: number, size: number) {
  const readAt = (start: number) => {
    const bytes = read(start, Math.min(start + pieceSize, size))
    // Its error is thrown when the piece is needed.
    bytes.catch(() => {})
    return { start, bytes }
  }
  let next: ReturnType<typeof readAt> | undefined
  return async (offset: number): Promise<Uint8Array<ArrayBuffer>> => {
    const piece = await (next?.start === offset ? next : readAt(offset)).bytes
    const end = offset + piece.byteLength
    next = end < size && piece.byteLength > 0 ? readAt(end) : undefined
    return piece
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
