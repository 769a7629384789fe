import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type AskedRequest, answerRequest } from "./answer-request.ts"
import type { Buckets } from "./buckets.ts"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import { type FaultsAtHand, faultAnswer } from "./faults.ts"
import { findOperation } from "./operations/find-operation.ts"
import { type ObjstoreAnswer, ObjstoreError } from "./objstore-answer.ts"
import type { ObjstoreRequest, RequestLog } from "./request-log.ts"
import { type Pace, closed, createPace, sendAnswer } from "./send-answer.ts"
import { parseRequest } from "./s3-request.ts"
import { uploadPieces } from "./receive-body.ts"
import { formatErrorXml } from "./xml.ts"

export interface Surroundings {
  readonly buckets: Buckets
  readonly settings: ObjstoreSettings
  readonly log: RequestLog
  /** Returns the faults of a request. */
  readonly takeFaults: (request: ObjstoreRequest) => FaultsAtHand
}

/** Answers the requests of a server and logs each of them. */
export function createRequestListener(
  surroundings: Surroundings,
): (raw: IncomingMessage, response: ServerResponse) => void {
  const { settings, log, takeFaults } = surroundings
  const paces = new WeakMap<Socket, Pace>()

  function paceOf(socket: Socket, faults: FaultsAtHand): Pace {
    const rate = faults("rate")
    if (rate !== undefined) return createPace(rate.bytesPerSecond)
    const pace = paces.get(socket) ?? createPace(settings.bytesPerSecond)
    paces.set(socket, pace)
    return pace
  }

  async function answer(raw: IncomingMessage, response: ServerResponse, socket: Socket): Promise<void> {
    const request = parseRequest(raw)
    const operation = findOperation(request)
    const noted = log.note(request, operation?.name ?? "", response)
    const faults = takeFaults(noted)
    const pace = paceOf(socket, faults)
    if (!(await isAnswered(response, faults, settings.latencyMs))) return
    const body = uploadPieces(raw, response, { faults, pace, onReceived: (bytes) => void (noted.received += bytes) })
    const requestId = randomUUID()
    // Clients compare the date with their clock.
    response.setHeader("date", new Date(settings.now()).toUTCString()).setHeader("x-amz-request-id", requestId)
    const asked = { request, operation, body, faults }
    const answer = await answerOrRefuse(asked, surroundings).catch((error: unknown) =>
      errorAnswer(error, request.path, requestId),
    )
    if (socket.destroyed) return
    noted.status = answer.status
    const isHead = request.method === "HEAD"
    await sendAnswer(answer, response, { isHead, faults, pace, onSent: (bytes) => void (noted.sent += bytes) })
  }

  return (raw, response) => {
    // A closed connection no longer has them.
    const { socket } = raw
    // If the answer has begun, an error can only close the connection.
    answer(raw, response, socket).catch(() => socket.destroy())
  }
}

async function answerOrRefuse(asked: AskedRequest, { buckets, settings }: Surroundings): Promise<ObjstoreAnswer> {
  return faultAnswer(asked.request, asked.faults) ?? answerRequest(asked, buckets, settings)
}

/** Waits for the latency of an answer. Returns false if the client is gone. */
async function isAnswered(response: ServerResponse, faults: FaultsAtHand, latencyMs: number): Promise<boolean> {
  const wait = latencyMs + (faults("latency")?.ms ?? 0)
  if (wait > 0) await sleep(wait)
  await faults("hold")?.until
  if (faults("hang-up") !== undefined) response.destroy()
  const stall = faults("stall")
  if (stall !== undefined && stall.after === undefined) await closed(response)
  return !response.destroyed
}

/** Returns the document of an error. An error that is not an `ObjstoreError` is a bug of the fake. */
function errorAnswer(error: unknown, resource: string, requestId: string): ObjstoreAnswer {
  const { status, code, message, details, headers } =
    error instanceof ObjstoreError ? error : new ObjstoreError(500, "InternalError", String(error))
  const body = formatErrorXml({ Code: code, Message: message, ...details, Resource: resource, RequestId: requestId })
  return { status, headers: { "content-type": "application/xml", ...headers }, body }
}
