import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaultsAtHand } from "./faults.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"

export interface Sending {
  readonly isHead: boolean
  readonly faults: FaultsAtHand
  readonly pace: Pace
  /** Called with the number of bytes of each piece of the body. */
  readonly onSent: (bytes: number) => void
}

/** Sends an answer as fast as the client reads and the pace allows, with the faults of its body. */
export async function sendAnswer(
  answer: ObjstoreAnswer,
  response: ServerResponse,
  { isHead, faults, pace, onSent }: Sending,
): Promise<void> {
  response.writeHead(answer.status, answerHeaders(answer, isHead, faults))
  if (isHead) {
    response.end()
    return
  }
  for (const piece of spoilBody(bodyPieces(answer, pace.piece), faults)) {
    if (piece === "stall") {
      response.flushHeaders()
      return closed(response)
    }
    if (piece === "cut") {
      response.flushHeaders()
      // Written bytes still arrive.
      response.socket?.destroySoon()
      return
    }
    await pace.wait(piece.length)
    if (response.destroyed) return
    const takesMore = response.write(piece)
    onSent(piece.length)
    if (!takesMore) await drained(response)
    if (response.destroyed) return
  }
  response.end()
}

/** Resolves when the connection is closed. */
export function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.once("close", resolve)
  })
}

function answerHeaders(
  { status, headers, body }: ObjstoreAnswer,
  isHead: boolean,
  faults: FaultsAtHand,
): Record<string, string> {
  const sent = { ...headers }
  const hasText = typeof body === "string" && !isHead && status !== 204 && status !== 304
  if (hasText) sent["content-length"] = String(Buffer.byteLength(body))
  if (faults("end-early") !== undefined || faults("run-on") !== undefined) delete sent["content-length"]
  return sent
}

function* bodyPieces({ body }: ObjstoreAnswer, longest: number): Iterable<Buffer> {
  if (typeof body === "string") {
    if (body !== "") yield Buffer.from(body)
    return
  }
  for (const piece of body.content.read(body.start, body.end)) {
    for (let at = 0; at < piece.length; at += longest) yield piece.subarray(at, at + longest)
  }
}

/** Resolves when the client has read what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.once("drain", done).once("close", done)
  })
}

/** Yields the pieces of a body with its faults. `cut` and `stall` end it. */
function* spoilBody(pieces: Iterable<Buffer>, faults: FaultsAtHand): Iterable<Buffer | "cut" | "stall"> {
  const cut = faults("cut")?.after ?? Infinity
  const stall = faults("stall")?.after ?? Infinity
  const limit = Math.min(cut, stall, faults("end-early")?.after ?? Infinity)
  const wrong = faults("wrong-byte")?.at
  let at = 0
  for (const piece of pieces) {
    if (at >= limit) break
    const kept = piece.subarray(0, limit - at)
    yield wrong === undefined ? kept : changeByte(kept, wrong - at)
    at += kept.length
  }
  if (at >= cut) yield "cut"
  if (at >= stall) yield "stall"
  const extra = faults("run-on")?.extra ?? 0
  if (extra > 0) yield Buffer.alloc(extra, "x")
}

function changeByte(piece: Buffer, at: number): Buffer {
  const byte = piece[at]
  if (byte === undefined) return piece
  const changed = Buffer.from(piece)
  changed[at] = byte ^ 0xff
  return changed
}

/** The rate limit of one connection. */
export interface Pace {
  /** Maximum number of bytes to send at once. */
  readonly piece: number
  /** Waits until a number of bytes may pass. */
  wait(bytes: number): Promise<void> | undefined
}

const MAXIMUM_PIECE = 256 * 1024
const MINIMUM_PIECE = 1024
const PIECES_PER_SECOND = 100
/** Timers are about a millisecond late. This compensates for it. */
const LATENESS_MS = 5

/** Creates a limit in bytes per second; Infinity means none. */
export function createPace(bytesPerSecond: number): Pace {
  if (bytesPerSecond === Infinity) return { piece: MAXIMUM_PIECE, wait: () => undefined }
  const even = Math.max(MINIMUM_PIECE, Math.ceil(bytesPerSecond / PIECES_PER_SECOND))
  let freeAt = 0
  return {
    piece: Math.min(MAXIMUM_PIECE, even),
    wait(bytes) {
      const now = performance.now()
      freeAt = Math.max(freeAt, now - LATENESS_MS) + (bytes / bytesPerSecond) * 1000
      return freeAt > now ? sleep(freeAt - now) : undefined
    },
  }
}
