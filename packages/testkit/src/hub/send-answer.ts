import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaultsAtHand } from "./faults.ts"
import { type HubAnswer, errorAnswer, pageAnswer } from "./hub-answer.ts"

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
