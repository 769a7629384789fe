import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import type { FaultsAtHand } from "./faults.ts"
import { type HubAnswer, rangedAnswer } from "./hub-answer.ts"
import type { HubRequest } from "./hub-request.ts"

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

/** Addresses of the host of large files. Anyone who has one may read until it expires. */
export interface SignedAddresses {
  /** Path and query at which the object can be read. */
  sign(oid: string): string
  /** Returns the object of an address, or undefined if the address is invalid or expired. */
  open(url: string): string | undefined
  /** Invalidates all issued addresses. */
  expire(): void
}

/** @param seconds lifetime of an address */
export function createSignedAddresses(seconds: number): SignedAddresses {
  let key = randomBytes(32)
  const mark = (oid: string, expires: string) => createHmac("sha256", key).update(`${oid} ${expires}`).digest("hex")
  return {
    sign(oid) {
      const expires = String(Math.floor(Date.now() / 1000) + seconds)
      return `/objects/${oid}?Expires=${expires}&Signature=${mark(oid, expires)}`
    },
    open(url) {
      const { pathname, searchParams } = new URL(url, "http://localhost")
      const oid = pathname.replace("/objects/", "")
      const expires = searchParams.get("Expires") ?? ""
      const given = Buffer.from(searchParams.get("Signature") ?? "")
      const expected = Buffer.from(mark(oid, expires))
      const isOurs = given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
      return isOurs && Number(expires) * 1000 > Date.now() ? oid : undefined
    },
    expire() {
      key = randomBytes(32)
    },
  }
}
