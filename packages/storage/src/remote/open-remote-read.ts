import type { Readable } from "node:stream"
import { linkAbort, type HttpHeaders } from "@assay/http"
import type { ByteRange } from "../byte-range.ts"
import { resolveRange } from "../resolve-range.ts"
import type { RemoteContext } from "./remote-context.ts"
import type { RemoteTarget } from "./remote-error.ts"
import { openFirstPart } from "./open-first-part.ts"
import { readParts } from "./read-parts.ts"

/** A backend's answer to a question for bytes. */
export interface RemoteAnswer {
  readonly status: 200 | 206 | 416
  readonly headers: HttpHeaders
  readonly body: Readable
}

/** One file of a remote backend, as its adapter asks for it. */
export interface RemoteSource {
  /**
   * Asks for bytes: `range` is the value of a `Range` header; without it, the whole file. After the first answer every
   * question carries its headers, so that it can be bound to the same version (`If-Match`). Retries what fails before
   * the first byte, and throws for every status but 200, 206 and 416.
   */
  ask(range: string | undefined, first: HttpHeaders | undefined, signal: AbortSignal): Promise<RemoteAnswer>
  /** What is the same exactly for the same content, such as an ETag; undefined where the backend tells nothing. */
  versionOf(headers: HttpHeaders): string | undefined
}

export interface RemoteReadOptions {
  readonly remote: RemoteContext
  readonly source: RemoteSource
  readonly target: RemoteTarget
  /** Bytes of a piece at the most. */
  readonly chunkSize: number
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when the first byte has come. */
  readonly onProgress?: (() => void) | undefined
  /** Bytes that are asked for at a time. Default 8 MiB. */
  readonly partSize?: number
  /** Parts that are on their way or wait to be read, at the most. Default 4. */
  readonly parallel?: number
}

export interface RemoteRead {
  /** Of the first answer. */
  readonly headers: HttpHeaders
  /** Of the whole file. */
  readonly size: number
  /** Where a range was asked for: first and last byte, both included. */
  readonly range?: { readonly start: number; readonly end: number }
  readonly bytes: AsyncIterable<Uint8Array>
  readonly release: (piece: Uint8Array) => void
}

export const PART_SIZE = 8 * 1024 * 1024
export const PARALLEL_PARTS = 4

/**
 * Opens a file of a remote backend: in parts of which several are on their way at a time, in order, all of one version. The
 * memory of a read is bounded by its parts. What breaks off is asked for again from where it stopped, up to five times a
 * part; what is longer or shorter than announced is never taken for the file.
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
    return { headers, size, bytes, release, ...(range === undefined ? {} : { range: part }) }
  } catch (error) {
    end()
    throw error
  }
}
