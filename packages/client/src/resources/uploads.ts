import { discardBody, type FetchResponse } from "@assay/http"
import { AssayError } from "@assay/schemas/errors"
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

export type UploadBytes = Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>

export interface AppendOptions extends CallOptions {
  /** Number of bytes of a stream. It is sent as Content-Length. */
  readonly length?: number
}

/** Resumable uploads: tus 1.0 with creation, termination, checksum and expiration (https://tus.io/protocols/resumable-upload). */
export interface Uploads {
  create(workspace: string, fileset: string, upload: NewUpload, options?: CallOptions): Promise<UploadAddress>
  /** Returns the number of bytes that the server has. @throws `not_found` or `upload_gone` if the upload is finished or expired */
  offset(upload: UploadAddress, options?: CallOptions): Promise<number>
  /**
   * Sends bytes that follow `offset` and returns the new offset. The file exists when the offset equals its size. Whole bytes are sent with
   * their checksum. Of a stream, the server keeps what arrived when the connection breaks.
   * @throws `upload_offset`, `upload_checksum`, `upload_gone`, `checksum_mismatch`
   */
  append(upload: UploadAddress, offset: number, bytes: UploadBytes, options?: AppendOptions): Promise<number>
  /**
   * Sets the SHA-256 of the whole file in hex, which the server compares after the last byte. Call it before that byte is sent, once.
   * @throws `bad_upload` if the upload has another digest
   */
  announce(upload: UploadAddress, sha256: string, options?: CallOptions): Promise<void>
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
    append: async (upload, offset, body, { length, signal } = {}) => {
      const headers = {
        ...tus,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
        ...(body instanceof Uint8Array ? { "upload-checksum": `sha256 ${await digest(body)}` } : {}),
        ...(length === undefined ? {} : { "content-length": String(length) }),
      }
      return uploadOffset(await exchange({ method: "PATCH", path: pathOf(upload), headers, body, signal }))
    },
    announce: async (upload, sha256, { signal } = {}) => {
      const headers = { ...tus, "x-checksum-sha256": sha256 }
      const response = await exchange({ method: "PUT", path: `${pathOf(upload)}/digest`, headers, signal })
      await discardBody(response.body)
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
