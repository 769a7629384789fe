import { createHmac } from "node:crypto"
import { isAssayError } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { s3ErrorCode } from "../s3-error.ts"
import type { SignableRequest } from "./canonical-request.ts"
import { parseSignature } from "./parse-signature.ts"
import { parsePresignedV2, verifyPresignedV2 } from "./presigned-v2.ts"

const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
const NOW = 1_175_139_000_000
const EXPIRES = 1_175_139_620
const PATH = "/s3/default.a/b"

/** Returns a request with a URL as botocore signs it. */
function presigned(path: string, { method = "GET", expires = EXPIRES, more = "" } = {}): SignableRequest {
  const signature = createHmac("sha1", SECRET).update(`${method}\n\n\n${expires}\n${path}`).digest("base64")
  const query = new URLSearchParams({ AWSAccessKeyId: "a", Signature: signature, Expires: String(expires) })
  return { method, url: `${path}?${query.toString()}${more}`, host: "a", rawHeaders: [] }
}

/** Returns "ok", or the code of the error. */
function outcome(request: SignableRequest): string {
  try {
    verifyPresignedV2(request, parsePresignedV2(request), { secrets: ["other", SECRET], now: NOW, prefix: "/s3" })
    return "ok"
  } catch (error) {
    return isAssayError(error) ? s3ErrorCode(error) : String(error)
  }
}

describe("a URL that was presigned with version 2", () => {
  it("is verified as in the documentation of AWS", () => {
    const url =
      "/johnsmith/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620"
    expect(outcome({ method: "GET", url, host: "a", rawHeaders: [] })).toBe("ok")
    expect(parseSignature({ method: "GET", url, host: "a", rawHeaders: [] })).toMatchObject({ version: 2 })
  })

  it("may leave out the path of the endpoint", () => {
    const { url, ...rest } = presigned("/default.a/b")
    expect(outcome({ ...rest, url: `/s3${url}` })).toBe("ok")
    expect(outcome(presigned(PATH))).toBe("ok")
  })

  it("allows nothing that it does not sign", () => {
    const good = presigned(PATH)
    const mismatches: readonly Partial<SignableRequest>[] = [
      { method: "PUT" },
      { method: "HEAD" },
      { url: good.url.replace("/b?", "/c?") },
      { url: `${good.url}&x-amz-copy-source=/default.a/secret` },
      { url: `${good.url}&uploadId=1` },
      { rawHeaders: ["x-amz-copy-source", "/default.a/secret"] },
      { rawHeaders: ["Content-MD5", "a"] },
      { url: good.url.replace(/Signature=[^&]*/, "Signature=AAAA") },
    ]
    for (const change of mismatches)
      expect([change, outcome({ ...good, ...change })]).toEqual([change, "SignatureDoesNotMatch"])
    const refused: readonly Partial<SignableRequest>[] = [
      presigned(PATH, { method: "DELETE" }),
      presigned(PATH, { method: "POST" }),
      { url: `${good.url}&prefix=b` },
      { url: `${good.url}&delete` },
      { url: `${good.url}&Expires=${EXPIRES}` },
      { url: good.url.replace(/Expires=\d+/, "Expires=1e9") },
      { rawHeaders: ["x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"] },
    ]
    for (const change of refused) expect([change, outcome({ ...good, ...change })]).toEqual([change, "InvalidRequest"])
  })

  it("signs the header of its query that is there first, and no other one of the same name", () => {
    const copied = "x-amz-copy-source"
    const text = `PUT\n\n\n${EXPIRES}\n${copied}:/default.a/c\n${PATH}`
    const signature = createHmac("sha1", SECRET).update(text).digest("base64")
    const signed = new URLSearchParams({ AWSAccessKeyId: "a", Signature: signature, Expires: String(EXPIRES) })
    const request = (headers: string) => ({
      method: "PUT",
      url: `${PATH}?${headers}&${signed.toString()}`,
      host: "a",
      rawHeaders: [],
    })
    expect(outcome(request(`${copied}=/default.a/c`))).toBe("ok")
    const others = `X-Amz-Copy-Source=/default.a/secret&${copied}=/default.a/c`
    expect(outcome(request(others))).toBe("SignatureDoesNotMatch")
  })

  it("ends, and is valid for at most a week", () => {
    expect(outcome(presigned(PATH, { expires: NOW / 1000 - 1 }))).toBe("AccessDenied")
    expect(outcome(presigned(PATH, { expires: NOW / 1000 + 604_799 }))).toBe("ok")
    expect(outcome(presigned(PATH, { expires: NOW / 1000 + 604_801 }))).toBe("AccessDenied")
  })
})
