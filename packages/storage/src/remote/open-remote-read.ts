import type { Readable } from "node:stream"
import { linkAbort, type HttpHeaders } from "@assay/http"
import { resolveRange, type ByteRange } from "../byte-range.ts"
import { openFirstPart } from "./open-first-part.ts"
import { readParts } from "./read-parts.ts"
import type { RemoteContext } from "./remote-context.ts"
import type { RemoteTarget } from "./remote-error.ts"

/** The response of a backend to a request for bytes. */
export interface RemoteAnswer {
  readonly status: 200 | 206 | 416
  readonly headers: HttpHeaders
  readonly body: Readable
}

/** One file of a remote backend, as its adapter requests it. */
export interface RemoteSource {
  /**
   * Requests bytes: `range` is the value of a `Range` header; without it, the whole file. After the first response, every request
   * gets its headers as `first`, to bind it to the same version (`If-Match`). Failures before the first byte are retried. Every
   * status except 200, 206 and 416 throws.
   */
  ask(range: string | undefined, first: HttpHeaders | undefined, signal: AbortSignal): Promise<RemoteAnswer>
  /** Returns a value that is equal if and only if the content is equal, such as an ETag. Undefined if the backend has none. */
  versionOf(headers: HttpHeaders): string | undefined
}

export interface RemoteReadOptions {
  readonly remote: RemoteContext
  readonly source: RemoteSource
  readonly target: RemoteTarget
  /** Maximum number of bytes in a piece. */
  readonly chunkSize: number
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when the first byte arrives. */
  readonly onProgress?: (() => void) | undefined
  /** Number of bytes in one request. Default 8 MiB. */
  readonly partSize?: number
  /** Maximum number of parts that are arriving or waiting to be read. Default 4. */
  readonly parallel?: number
}

export interface RemoteRead {
  /** Headers of the first response. */
  readonly headers: HttpHeaders
  /** Number of bytes in the whole file. */
  readonly size: number
  /** If a range was requested: its first and last byte, both included. */
  readonly range?: { readonly start: number; readonly end: number } | undefined
  readonly bytes: AsyncIterable<Uint8Array>
  readonly release: (piece: Uint8Array) => void
}

const PART_SIZE = 8 * 1024 * 1024
const PARALLEL_PARTS = 4

/**
 * Opens a file of a remote backend. It is read in parts of one version: several are requested at the same time and yielded in
 * order. The memory of a read is bounded by its parts. A part that breaks off is requested again from where it stopped, up to five
 * times. A file that is longer or shorter than announced is an error.
 * @throws `range_not_satisfiable`, `upstream_failed`, `storage_changed`, and what `source.ask` throws
 */
export async function openRemoteRead(options: RemoteReadOptions): Promise<RemoteRead> {
  const { range, partSize = PART_SIZE, parallel = PARALLEL_PARTS, signal } = options
  signal?.throwIfAborted()
  const { signal: ending, end } = linkAbort(signal)
  try {
    const first = await openFirstPart({ ...options, partSize, signal: ending })
    const part = range === undefined ? { start: 0, end: first.size - 1 } : resolveRange(range, first.size)
    const { bytes, release } = readParts({ ...options, partSize, parallel, first, part, signal: ending, end })
    const { headers, size } = first
    return { headers, size, bytes, release, range: range && part }
  } catch (error) {
    end()
    throw error
  }
}
