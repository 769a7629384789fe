import { createHmac, timingSafeEqual } from "node:crypto"
import { s3Error } from "../s3-error.ts"
import { canonicalHash, rawPathOf, type SignableRequest } from "./canonical-request.ts"

/** A signature as a request has it, in its header or in its query. It is not checked yet. */
export interface GivenSignature {
  readonly accessKey: string
  /** `20130524`. */
  readonly day: string
  readonly region: string
  /** `20130524T000000Z`. */
  readonly time: string
  /** In lower case, in the order of the client. */
  readonly signedHeaders: readonly string[]
  /** Lower-case hex. */
  readonly signature: string
  /** The value of x-amz-content-sha256. */
  readonly payloadHash: string
  /** Seconds for which a presigned URL is valid. Undefined: the signature is in a header. */
  readonly expires?: number
}

/** The key and the scope of the signatures of the chunks of a body. */
export interface ChunkSigning {
  readonly key: Buffer
  /** `20130524/us-east-1/s3/aws4_request`. */
  readonly scope: string
  readonly time: string
  /** The signature of the request, which the one of the first chunk covers. */
  readonly seed: string
}

export interface VerifyOptions {
  /** The secrets that the access key can have; one of them must fit. */
  readonly secrets: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** The start of all paths. A proxy in front can have removed it from the paths that clients see. */
  readonly prefix: string
}

/** Clocks may differ by this number of milliseconds. */
const MAX_SKEW_MS = 15 * 60_000

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

/** Returns whether two signatures in hex are equal, in a time that does not depend on where they differ. */
export function isSameSignature(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, "hex")
  return bytes.byteLength === expected.byteLength && timingSafeEqual(bytes, expected)
}

/**
 * Verifies the signature of a request (Signature Version 4).
 * @throws `SignatureDoesNotMatch`; `RequestTimeTooSkewed`; `AccessDenied` for a presigned URL that has expired
 */
export function verifySignature(
  request: SignableRequest,
  given: GivenSignature,
  { secrets, now, prefix }: VerifyOptions,
): ChunkSigning {
  const scope = `${given.day}/${given.region}/s3/aws4_request`
  const { time, signature } = given
  for (const { host, left } of spellingsOf(request, prefix)) {
    const hash = canonicalHash({ ...request, host }, { ...given, prefix: left })
    for (const secret of secrets) {
      const key = signingKey(secret, given)
      const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope, hash].join("\n"))
      if (!isSameSignature(signature, expected)) continue
      checkTime(given, now)
      return { key, scope, time, seed: signature }
    }
  }
  const message =
    "The signature does not fit the request: check the secret, and that no proxy changes the path, the query, the host or signed headers."
  throw s3Error("SignatureDoesNotMatch", message)
}

/**
 * Returns the hosts and the starts of the path that a client can have left out. A proxy in front can have added the start, and some clients
 * (s3cmd) sign it as a part of the host. No bucket has the name of the start, so each spelling means the same request.
 */
function spellingsOf({ host, url }: SignableRequest, prefix: string): readonly { host: string; left: string }[] {
  const own = { host, left: "" }
  if (prefix === "" || !`${rawPathOf(url)}/`.startsWith(`${prefix}/`)) return [own]
  return [own, { host, left: prefix }, { host: host + prefix, left: prefix }]
}

function signingKey(secret: string, { day, region }: GivenSignature): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), "s3"), "aws4_request")
}

function checkTime({ time, expires }: GivenSignature, now: number): void {
  const signedAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))
  const age = now - signedAt
  if (Number.isNaN(age) || age < -MAX_SKEW_MS || (expires === undefined && age > MAX_SKEW_MS)) {
    const message = `The request was signed at ${time}, and the clock of this server is at ${new Date(now).toISOString()}: they may differ by 15 minutes. Correct the clock.`
    throw s3Error("RequestTimeTooSkewed", message)
  }
  if (expires !== undefined && age > expires * 1000) {
    throw s3Error("AccessDenied", `The presigned URL has expired, ${expires} s after ${time}. Make a new one.`)
  }
}
