import type { Readable } from "node:stream"
import { networkReason, type HttpHeaders } from "@assay/http"
import { isAssayError } from "@assay/schemas"
import { parseContentRange } from "../byte-range.ts"
import type { RemoteSource } from "./open-remote-read.ts"
import type { PiecePool } from "./piece-pool.ts"
import type { RemoteContext } from "./remote-context.ts"
import { remoteError, type RemoteTarget } from "./remote-error.ts"
import { remoteRetryDelay } from "./send-with-retry.ts"

/** How often one part is requested again after it broke off. */
const RESUMES = 5

export interface PartTask {
  readonly remote: RemoteContext
  readonly source: RemoteSource
  readonly target: RemoteTarget
  /** Headers of the first response of the read. Every other response must be of the same version. */
  readonly first: HttpHeaders
  readonly start: number
  readonly end: number
  /** The body that contains the part. Default: the part is requested. */
  readonly body?: Readable | undefined
  readonly pieceSize: number
  readonly pool: PiecePool
  readonly signal: AbortSignal
  /** Called when the first bytes arrive. */
  readonly onProgress?: (() => void) | undefined
  /** Takes a piece. Resolves when there is room for the next one. */
  readonly put: (piece: Buffer) => Promise<void> | undefined
}

/** Reads all bytes of one part, and puts them into pieces. If the body breaks off, it is requested again up to 5 times. */
export async function fillPart(task: PartTask): Promise<void> {
  const { remote, target, signal, start, end, pieceSize, pool } = task
  let at = start
  let piece: Buffer | undefined
  let filled = 0

  /** Copies bytes into pieces, which can be longer or shorter than what arrives. */
  async function take(chunk: Uint8Array): Promise<void> {
    if (at + chunk.byteLength > end + 1)
      throw remoteError(
        "upstream_failed",
        target,
        "more bytes came than were announced, so none of them can be trusted.",
      )
    for (let from = 0; from < chunk.byteLength;) {
      piece ??= pool.take(Math.min(pieceSize, end + 1 - at))
      const count = Math.min(piece.byteLength - filled, chunk.byteLength - from)
      piece.set(from === 0 && count === chunk.byteLength ? chunk : chunk.subarray(from, from + count), filled)
      filled += count
      from += count
      at += count
      if (filled < piece.byteLength) continue
      const whole = piece
      piece = undefined
      filled = 0
      await task.put(whole)
    }
  }

  let body = task.body
  for (let resumes = 0; at <= end; resumes += 1) {
    let cut: unknown
    try {
      body ??= await openAgain(task, at)
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        if (at === start) task.onProgress?.()
        await take(chunk)
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // A backend that is unreachable for a moment is handled like a broken body.
      const isAway = body === undefined && isAssayError(error, "upstream_failed")
      if (isAssayError(error) && !isAway) throw error
      cut = error
    }
    body = undefined
    if (at > end) return
    if (resumes === RESUMES) {
      const reason = cut === undefined ? "it ended early" : networkReason(cut)
      throw remoteError(
        "upstream_failed",
        target,
        `the bytes broke off ${RESUMES + 1} times (${reason}); try again later.`,
        cut,
      )
    }
    await remote.sleep(remoteRetryDelay(resumes, remote.random), signal)
  }
}

async function openAgain({ source, target, first, end, signal }: PartTask, at: number): Promise<Readable> {
  const { status, headers, body } = await source.ask(`bytes=${at}-${end}`, first, signal)
  const { start, end: last } = parseContentRange(headers["content-range"])
  const isSame = source.versionOf(headers) === source.versionOf(first)
  if (isSame && status === 206 && start === at && last === end) return body
  body.destroy()
  if (!isSame || status === 416)
    throw remoteError("storage_changed", target, "the file changed while it was read; read it again.")
  throw remoteError(
    "upstream_failed",
    target,
    `it answered a request for a part with ${status} '${headers["content-range"] ?? ""}'.`,
  )
}
