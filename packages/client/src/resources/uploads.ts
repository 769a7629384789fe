import { discardBody, type FetchResponse } from "@assay/http"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { filesetRoute } from "../exchange/route.ts"

export interface NewUpload {
  readonly path: string
  /** Number of bytes in the whole file. */
  readonly size: number
  /** SHA-256 of the whole file in hex. The server compares it after the last byte. */
  readonly sha256?: string
}

/** The address of one resumable upload. Another process can use it too. */
export interface UploadAddress {
  readonly workspace: string
  readonly fileset: string
  readonly id: string
}

/** Resumable uploads: tus 1.0 with creation, termination, checksum and expiration (https://tus.io/protocols/resumable-upload). */
export interface Uploads {
  create(workspace: string, fileset: string, upload: NewUpload, options?: CallOptions): Promise<UploadAddress>
  /** Returns the number of bytes that the server has. @throws `not_found` or `upload_gone` if the upload is finished or expired */
  offset(upload: UploadAddress, options?: CallOptions): Promise<number>
  /**
   * Sends the bytes that follow `offset` and returns the new offset. The file exists when the offset equals its size.
   * @throws `upload_offset`, `upload_checksum`, `upload_gone`, `checksum_mismatch`
   */
  append(upload: UploadAddress, offset: number, bytes: Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<number>
  /** Cancels the upload and drops what was sent. */
  remove(upload: UploadAddress, options?: CallOptions): Promise<void>
}

const tus = { "tus-resumable": "1.0.0" }

function pathOf({ workspace, fileset, id }: UploadAddress): string {
  return filesetRoute(workspace, fileset, "uploads", id)
}

export function createUploads(exchange: Exchange): Uploads {
  return {
    create: async (workspace, fileset, { path, size, sha256 }, { signal } = {}) => {
      const metadata = [`path ${encodeText(path)}`, ...(sha256 === undefined ? [] : [`sha256 ${encodeText(sha256)}`])]
      const headers = { ...tus, "upload-length": String(size), "upload-metadata": metadata.join(",") }
      const response = await exchange({
        method: "POST",
        path: filesetRoute(workspace, fileset, "uploads"),
        headers,
        signal,
      })
      await discardBody(response.body)
      return { workspace, fileset, id: uploadId(response) }
    },
    offset: async (upload, { signal } = {}) =>
      uploadOffset(await exchange({ method: "HEAD", path: pathOf(upload), headers: tus, signal })),
    append: async (upload, offset, body, { signal } = {}) => {
      const headers = {
        ...tus,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
        "upload-checksum": `sha256 ${await digest(body)}`,
      }
      return uploadOffset(await exchange({ method: "PATCH", path: pathOf(upload), headers, body, signal }))
    },
    remove: async (upload, { signal } = {}) => {
      await discardBody((await exchange({ method: "DELETE", path: pathOf(upload), headers: tus, signal })).body)
    },
  }
}

/** Reads only the last segment of Location, so that bytes and token never go to another host. */
function uploadId(response: FetchResponse): string {
  const id = response.headers.get("location")?.split(/[?#]/)[0]?.split("/").at(-1)
  if (id === undefined || id === "")
    throw new AssayError("bad_answer", "The server created an upload without a Location header.")
  return decodeURIComponent(id)
}

async function uploadOffset(response: FetchResponse): Promise<number> {
  await discardBody(response.body)
  const offset = Number(response.headers.get("upload-offset") ?? Number.NaN)
  if (Number.isSafeInteger(offset) && offset >= 0) return offset
  throw new AssayError("bad_answer", "The server answered an upload without an Upload-Offset header.")
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))
}

function encodeText(text: string): string {
  return encodeBase64(new TextEncoder().encode(text))
}

/** Encodes base64 without `Buffer`, so that the client runs in browsers too. */
function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
}

export interface SendUploadOptions extends CallOptions {
  readonly workspace: string
  readonly fileset: string
  readonly upload: NewUpload
  /** Reads the bytes from `start` up to, not including, `end`. Called again for a piece that did not arrive. */
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>
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
  /** Called with the number of bytes that the server has. */
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
  const { upload, read, pieceSize = DEFAULT_PIECE_SIZE, retries = 5, signal } = options
  const call = { signal }
  let { address, offset } = await begin(uploads, options, call)
  let failures = 0
  const reader = readAhead(read, pieceSize, upload.size)
  while (offset < upload.size) {
    try {
      const piece = await reader(offset)
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
