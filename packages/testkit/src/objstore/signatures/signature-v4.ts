import { createHash, createHmac } from "node:crypto"
import type { ObjstoreSettings } from "../fake-objstore-options.ts"
import { ObjstoreError } from "../objstore-answer.ts"
import { type S3Request, decodePercent, encodePath, encodePercent } from "../s3-request.ts"
import { checkAccessKey, checkSkew, signatureMismatch } from "./signature-faults.ts"

export const V4_ALGORITHM = "AWS4-HMAC-SHA256"

/** Checks a signature of version 4 in the Authorization header. @throws the error of S3 for a wrong one */
export function checkSignatureV4(request: S3Request, settings: ObjstoreSettings): void {
  const { credential, signedHeaders, signature } = parseAuthorization(request.headers["authorization"] ?? "")
  const [accessKeyId, day = "", region = "", service = "", terminator = ""] = credential
  checkAccessKey(accessKeyId, settings)
  if (region !== settings.region) throw wrongRegion(region, settings.region)
  if (service !== "s3" || terminator !== "aws4_request") throw malformed("the service or the terminator is wrong.")
  const date = request.headers["x-amz-date"] ?? ""
  const time = parseDate(date)
  if (!date.startsWith(day))
    throw malformed(`Invalid credential date "${day}". This date is not the same as X-Amz-Date.`)
  checkSkew(time, date, settings)
  checkSignedHeaders(request, signedHeaders)

  // Node reads headers as latin1. Encoding them as latin1 restores the sent bytes.
  const canonical = canonicalRequest(request, signedHeaders)
  const scope = `${day}/${region}/s3/aws4_request`
  const stringToSign = `${V4_ALGORITHM}\n${date}\n${scope}\n${createHash("sha256").update(canonical, "latin1").digest("hex")}`
  const signingKey = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (key, text) => createHmac("sha256", key).update(text).digest(),
    `AWS4${settings.secretAccessKey}`,
  )
  const expected = createHmac("sha256", signingKey).update(stringToSign).digest("hex")
  if (signature !== expected) {
    throw signatureMismatch(accessKeyId, signature, stringToSign, { CanonicalRequest: canonical })
  }
}

function parseAuthorization(header: string): {
  readonly credential: readonly [string, ...string[]]
  readonly signedHeaders: readonly string[]
  readonly signature: string
} {
  const fields = new Map(
    header
      .slice(V4_ALGORITHM.length)
      .split(",")
      .map((field) => {
        const [name = "", ...value] = field.trim().split("=")
        return [name, value.join("=")] as const
      }),
  )
  const credential = fields.get("Credential")?.split("/") ?? []
  const signedHeaders = fields.get("SignedHeaders")?.split(";") ?? []
  const signature = fields.get("Signature") ?? ""
  // An access key may contain slashes. The four fields after it do not.
  const accessKeyId = credential.slice(0, -4).join("/")
  const rest = credential.slice(-4)
  if (accessKeyId === "" || signedHeaders.length === 0 || signature === "") {
    throw malformed("it needs a Credential with five fields, SignedHeaders and a Signature.")
  }
  return { credential: [accessKeyId, ...rest], signedHeaders, signature }
}

function malformed(why: string): ObjstoreError {
  return new ObjstoreError(400, "AuthorizationHeaderMalformed", `The authorization header is malformed; ${why}`)
}

function wrongRegion(given: string, right: string): ObjstoreError {
  return new ObjstoreError(
    400,
    "AuthorizationHeaderMalformed",
    `The authorization header is malformed; the region '${given}' is wrong; expecting '${right}'`,
    { details: { Region: right }, headers: { "x-amz-bucket-region": right } },
  )
}

function parseDate(date: string): number {
  const match = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(date)
  if (match === null) {
    throw new ObjstoreError(403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header")
  }
  const [, year, month, day, hour, minute, second] = match
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Checks that the host and all headers that begin with `x-amz-` are signed. */
function checkSignedHeaders({ headers }: S3Request, signed: readonly string[]): void {
  if (headers["x-amz-content-sha256"] === undefined) {
    throw new ObjstoreError(400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256")
  }
  const unsigned = Object.keys(headers).filter(
    (name) => (name === "host" || name.startsWith("x-amz-")) && !signed.includes(name),
  )
  if (unsigned.length === 0) return
  throw new ObjstoreError(403, "AccessDenied", "There were headers present in the request which were not signed", {
    details: { HeadersNotSigned: unsigned.join(", ") },
  })
}

function canonicalRequest(request: S3Request, signed: readonly string[]): string {
  const { method, headers, path } = request
  const query = request.query
    .map(([name, value]) => [encodePercent(name), encodePercent(value)] as const)
    .toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
  const lines = signed.map((name) => `${name}:${(headers[name] ?? "").trim().replaceAll(/ +/g, " ")}`)
  return [
    method,
    encodePath(decodePercent(path) ?? ""),
    query.join("&"),
    ...lines,
    "",
    signed.join(";"),
    headers["x-amz-content-sha256"],
  ].join("\n")
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
