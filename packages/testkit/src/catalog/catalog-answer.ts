import { createHash } from "node:crypto"
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import type { CatalogFaultsAtHand } from "./catalog-faults.ts"
import type { CatalogRequest } from "./catalog-routes.ts"

/** An answer before it is sent. */
export interface CatalogAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, or an object that is sent as JSON. */
  readonly body: Uint8Array | object
}

/** Returns the document of a refusal or an error. `statusCode` is derived from the status by default. */
export function refusal(status: number, description: string, statusCode = CODES[status] ?? "UNKNOWN"): CatalogAnswer {
  return {
    status,
    body: { requestStatus: { statusCode, statusDescription: description, requestId: "00000000-fake-0000" } },
  }
}

export function success(body: object): CatalogAnswer {
  return { status: 200, body: { ...body, requestStatus: { statusCode: "SUCCESS", requestId: "00000000-fake-0000" } } }
}

/** Returns a file with support for ranges. */
export function fileAnswer(path: string, bytes: Uint8Array): CatalogAnswer {
  const type = path.endsWith(".json") ? "application/json" : "application/octet-stream"
  const etag = `"${createHash("md5").update(bytes).digest("hex")}"`
  return { status: 200, headers: { "content-type": type, "accept-ranges": "bytes", etag }, body: bytes }
}

const CODES: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  412: "PRECONDITION_FAILED",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
}

/** Maximum length of a piece, so that a client that stops reading is noticed. */
const PIECE = 64 * 1024

/** Sends an answer or the requested range of it, with its faults. */
export async function sendCatalogAnswer(
  answer: CatalogAnswer,
  request: CatalogRequest,
  response: ServerResponse,
  faults: CatalogFaultsAtHand,
): Promise<void> {
  const { status, headers, body } = inRange(asBytes(answer), request, faults)
  const runOn = faults("run-on")?.extra ?? 0
  const wrong = faults("wrong-byte")?.at
  const bytes = Buffer.concat([body, Buffer.alloc(runOn)])
  if (wrong !== undefined && wrong < bytes.length) bytes.writeUInt8(bytes.readUInt8(wrong) ^ 0xff, wrong)
  const cut = faults("cut")
  const stall = faults("stall")
  const early = faults("end-early")
  const hasLength = runOn === 0 && early === undefined
  const changed = faults("other-version") === undefined ? {} : { etag: '"of-another-version"' }
  response.writeHead(status, { ...headers, ...(hasLength && { "content-length": bytes.length }), ...changed })
  const end = Math.min(bytes.length, cut?.after ?? early?.after ?? stall?.after ?? Infinity)
  for (let at = 0; at < end && !response.destroyed; at += PIECE) {
    if (!response.write(bytes.subarray(at, Math.min(end, at + PIECE)))) await drained(response)
  }
  if (cut !== undefined) {
    // Send what was written before closing the connection.
    await new Promise((resolve) => response.write("", resolve))
    response.destroy()
  } else if (stall === undefined) response.end()
}

interface Bytes {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

function asBytes({ status, headers = {}, body }: CatalogAnswer): Bytes {
  if (body instanceof Uint8Array) return { status, headers, body }
  const json = { "content-type": "application/json", ...headers }
  return { status, headers: json, body: Buffer.from(JSON.stringify(body)) }
}

function inRange(answer: Bytes, { headers }: CatalogRequest, faults: CatalogFaultsAtHand): Bytes {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? []
  const isFile = answer.headers["accept-ranges"] === "bytes"
  if (!isFile || (first === "" && last === "") || faults("ignore-range") !== undefined) return answer
  const size = answer.body.byteLength
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1)
  if (start >= end) {
    return {
      status: 416,
      headers: { ...answer.headers, "content-range": `bytes */${size}` },
      body: new Uint8Array(),
    }
  }
  const range = { "content-range": `bytes ${start}-${end - 1}/${size}` }
  return { status: 206, headers: { ...answer.headers, ...range }, body: answer.body.subarray(start, end) }
}

async function drained(response: ServerResponse): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })])
  ended.abort()
}
