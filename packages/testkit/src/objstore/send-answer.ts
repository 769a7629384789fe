import type { ServerResponse } from "node:http"
import type { FaultsAtHand } from "./faults.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"
import type { Pace } from "./pace.ts"
import { spoilBody } from "./spoil-body.ts"

export interface Sending {
  readonly isHead: boolean
  readonly faults: FaultsAtHand
  readonly pace: Pace
  /** Told of the bytes of each piece of the body. */
  readonly onSent: (bytes: number) => void
}

/** Sends an answer as fast as the client takes it and the pace allows, with the faults that befall its body. */
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
      // What was written still arrives.
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

/** Resolves when the client has taken what was written, or will never take it. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.once("drain", done).once("close", done)
  })
}
