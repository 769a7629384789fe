import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaultsAtHand } from "./faults.ts"

/** An answer before it is sent. */
export interface HubAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The error codes of the hub for what is missing or closed. */
export type HubErrorCode = "RepoNotFound" | "RevisionNotFound" | "EntryNotFound" | "GatedRepo"

export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HubAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** Returns a refusal: in headers, because HEAD has no body, and in JSON. */
export function errorAnswer(
  status: number,
  message: string,
  { code, headers = {} }: { readonly code?: HubErrorCode; readonly headers?: Readonly<Record<string, string>> } = {},
): HubAnswer {
  return jsonAnswer(
    status,
    { error: message },
    {
      "x-error-message": message,
      ...(code === undefined ? {} : { "x-error-code": code }),
      ...headers,
    },
  )
}

/** Returns a page for people, as a proxy or a login shows. */
export function pageAnswer(status: number): HubAnswer {
  const body = Buffer.from("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>\n")
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body }
}

/** Returns the bytes, or the part that a `Range` header requests (RFC 9110 §14). */
export function rangedAnswer(
  bytes: Buffer,
  range: string | undefined,
  headers: Readonly<Record<string, string>>,
): HubAnswer {
  const size = bytes.byteLength
  const common = { "accept-ranges": "bytes", "content-type": "application/octet-stream", ...headers }
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? []
  if (from === "" && to === "") return { status: 200, headers: common, body: bytes }
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end || (from === "" && Number(to) === 0)) {
    return { status: 416, headers: { ...common, "content-range": `bytes */${size}` }, body: Buffer.alloc(0) }
  }
  const part = { ...common, "content-range": `bytes ${start}-${end}/${size}` }
  return { status: 206, headers: part, body: bytes.subarray(start, end + 1) }
}

/** Sends an answer with its faults. */
export async function sendAnswer(response: ServerResponse, answer: HubAnswer, faults: FaultsAtHand): Promise<void> {
  const { status, headers, body } = answer
  await sleep(faults("latency")?.ms ?? 0)
  const stall = faults("stall")
  if (faults("hang-up") !== undefined) {
    response.destroy()
    return
  }
  if (stall !== undefined && stall.after === undefined) return
  const early = faults("end-early")?.after
  const extra = faults("run-on")?.extra
  if (early !== undefined || extra !== undefined) {
    response.writeHead(status, headers)
    response.end(Buffer.concat([body.subarray(0, early), Buffer.alloc(extra ?? 0)]))
    return
  }
  response.writeHead(status, { ...headers, "content-length": String(body.byteLength) })
  const stop = faults("cut")?.after ?? stall?.after
  if (stop === undefined) {
    response.end(body)
    return
  }
  await new Promise<void>((resolve) => response.write(body.subarray(0, stop), () => resolve()))
  if (stall === undefined) response.destroy()
}

/** Returns the answer after its faults: other texts, headers or bytes. */
export function spoilAnswer(answer: HubAnswer, faults: FaultsAtHand): HubAnswer {
  const refuse = faults("refuse")
  if (refuse !== undefined) {
    return errorAnswer(refuse.status, refuse.message ?? "Something went wrong.", { headers: refuse.headers ?? {} })
  }
  const page = faults("page")
  if (page !== undefined) return pageAnswer(page.status)
  const bytes = spoilBytes(answer.body, faults)
  const isOther = faults("other-version") !== undefined
  const headers = {
    ...answer.headers,
    ...(isOther ? { etag: '"ffffffffffffffffffffffffffffffffffffffff"' } : {}),
    ...faults("headers")?.headers,
  }
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== "")),
    body: bytes,
  }
}

function spoilBytes(body: Buffer, faults: FaultsAtHand): Buffer {
  const text = faults("body")?.text
  if (text !== undefined) return Buffer.from(text)
  if (faults("other-version") !== undefined) return Buffer.from(body.map((byte) => byte ^ 0xff))
  const wrong = faults("wrong-byte")
  if (wrong === undefined) return body
  return Buffer.from(body.map((byte, index) => (index === wrong.at ? byte ^ 0xff : byte)))
}
