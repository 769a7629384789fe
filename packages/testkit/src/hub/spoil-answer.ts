import { errorAnswer, pageAnswer, type HubAnswer } from "./hub-answer.ts"
import type { FaultsAtHand } from "./faults.ts"

/** The answer as the faults at hand leave it: other words, other headers, other bytes. */
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
