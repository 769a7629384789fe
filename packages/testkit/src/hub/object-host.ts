import { createHash } from "node:crypto"
import type { FaultsAtHand } from "./faults.ts"
import type { HubAnswer } from "./hub-answer.ts"
import type { HubRequest } from "./hub-request.ts"
import { rangedAnswer } from "./hub-answer.ts"
import type { SignedAddresses } from "./signed-addresses.ts"

/** Answers a request for a large file. This host knows no tokens and accepts only signed addresses. */
export function answerObject(
  { method, url, headers }: HubRequest,
  {
    addresses,
    find,
    faults,
  }: {
    readonly addresses: SignedAddresses
    readonly find: (oid: string) => Buffer | undefined
    readonly faults: FaultsAtHand
  },
): HubAnswer {
  if (method !== "GET" && method !== "HEAD") return refusal(405, "MethodNotAllowed")
  // S3 refuses two kinds of authentication in one request: a signed address and a header.
  if (headers["authorization"] !== undefined) return refusal(400, "InvalidArgument")
  const oid = addresses.open(url) ?? ""
  const bytes = find(oid)
  if (bytes === undefined) return refusal(403, "AccessDenied")
  // The host has its own ETag, as for objects that were uploaded in parts.
  const etag = `"${createHash("md5").update(oid).digest("hex")}-1"`
  return rangedAnswer(bytes, faults("ignore-range") === undefined ? headers["range"] : undefined, { etag })
}

function refusal(status: number, code: string): HubAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(text) }
}
