import { s3Error } from "../s3-error.ts"
import { headerValues, queryOf, type SignableRequest } from "./canonical-request.ts"
import { parsePresignedV2, type PresignedV2 } from "./presigned-v2.ts"
import type { GivenSignature } from "./verify-signature.ts"

const ALGORITHM = "AWS4-HMAC-SHA256"
const CREDENTIAL = /^([^/\s]{1,200})\/(\d{8})\/([\w-]{1,64})\/([\w-]{1,64})\/aws4_request$/
const SIGNATURE = /^[0-9a-f]{64}$/
const TIME = /^\d{8}T\d{6}Z$/
const IN_QUERY = /^(?:X-Amz-Algorithm|X-Amz-Signature|AWSAccessKeyId)$/
/** A week. */
const MAX_EXPIRES = 604_800
const HEADER = /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+)\s*,\s*SignedHeaders=([^,\s]+)\s*,\s*Signature=([^,\s]+)\s*$/

/** Headers that decide what a request does. Of two with one name, a client could have signed one and we could read the other. */
const IS_SINGLE = /^(?:authorization|host|range|content-|if-|x-amz-)/

/**
 * Reads the signature of a request. Undefined: it has none.
 * @throws `InvalidRequest` for other kinds of signatures, `AccessDenied` for headers that are not signed, and the codes of S3 for what can't be read
 */
export function parseSignature(request: SignableRequest): GivenSignature | PresignedV2 | undefined {
  const headers = headerValues(request.rawHeaders)
  const query = queryOf(request.url)
  const authorization = headers.get("authorization")?.[0]
  const inQuery = query.find(([name]) => IN_QUERY.test(name))
  for (const [name, values] of headers) {
    if (values.length < 2 || !IS_SINGLE.test(name)) continue
    throw s3Error("InvalidArgument", `The header ${name.slice(0, 60)} is sent ${values.length} times; send it once.`)
  }
  if (authorization !== undefined && inQuery !== undefined) {
    throw s3Error("InvalidArgument", "Send the signature in the Authorization header or in the query, not in both.")
  }
  if (/^AWS\s/i.test(authorization ?? "")) throw oldSignature()
  if (inQuery?.[0] === "AWSAccessKeyId") return parsePresignedV2(request)
  if (inQuery !== undefined) return checked(fromQuery(query, headers), headers)
  if (authorization === undefined) return undefined
  return checked(fromHeader(authorization, headers), headers)
}

type Headers = ReadonlyMap<string, readonly string[]>

function oldSignature() {
  return s3Error(
    "InvalidRequest",
    `Requests are signed with version 4 here (${ALGORITHM}); configure the client to use it, as \`aws configure set default.s3.signature_version s3v4\` does.`,
  )
}

function fromHeader(authorization: string, headers: Headers): GivenSignature {
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    const [scheme = ""] = authorization.split(" ", 1)
    if (scheme.startsWith("AWS4-")) throw oldSignature()
    const message = `The Authorization header is not a signature of S3 (${ALGORITHM}). \`assay token create --s3\` makes an access key and its secret.`
    throw s3Error("AccessDenied", message)
  }
  const [, credential, signedHeaders, signature] = HEADER.exec(authorization) ?? []
  if (credential === undefined || signedHeaders === undefined || signature === undefined) {
    const form = "Credential=…, SignedHeaders=…, Signature=…"
    throw s3Error("AuthorizationHeaderMalformed", `The Authorization header is not of the form ${ALGORITHM} ${form}.`)
  }
  const payloadHash = headers.get("x-amz-content-sha256")?.[0]
  if (payloadHash === undefined) {
    throw s3Error("MissingSecurityHeader", "A signed request needs the header x-amz-content-sha256.")
  }
  const fail = (message: string) => s3Error("AuthorizationHeaderMalformed", message)
  return given({ credential, signedHeaders, signature, time: timeOf(headers), payloadHash }, fail)
}

/** Returns the time of a signature from the header x-amz-date, or Date. */
function timeOf(headers: Headers): string {
  const time = headers.get("x-amz-date")?.[0]
  if (time !== undefined) return time
  const date = Date.parse(headers.get("date")?.[0] ?? "")
  return Number.isNaN(date) ? "" : `${new Date(date).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`
}

function fromQuery(query: ReturnType<typeof queryOf>, headers: Headers): GivenSignature {
  const fail = (message: string) => s3Error("AuthorizationQueryParametersError", message)
  const get = (name: string): string => {
    const values = query.filter(([one]) => one === name)
    if (values.length === 1) return values[0]?.[1] ?? ""
    throw fail(`A presigned URL has ${name} exactly once.`)
  }
  if (get("X-Amz-Algorithm") !== ALGORITHM) throw oldSignature()
  const expires = get("X-Amz-Expires")
  if (!/^\d{1,6}$/.test(expires) || Number(expires) < 1 || Number(expires) > MAX_EXPIRES) {
    throw fail(`X-Amz-Expires is a number of seconds from 1 to ${MAX_EXPIRES}.`)
  }
  const hoisted = query.find(([name]) => name.toLowerCase() === "x-amz-content-sha256")?.[1]
  const payloadHash = headers.get("x-amz-content-sha256")?.[0] ?? hoisted ?? "UNSIGNED-PAYLOAD"
  const [credential, signedHeaders, signature] = ["Credential", "SignedHeaders", "Signature"].map((name) =>
    get(`X-Amz-${name}`),
  ) as [string, string, string]
  const found = given({ credential, signedHeaders, signature, time: get("X-Amz-Date"), payloadHash }, fail)
  return { ...found, expires: Number(expires) }
}

interface Texts {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly time: string
  readonly payloadHash: string
}

function given(texts: Texts, fail: (message: string) => Error): GivenSignature {
  const { credential, signature, time, payloadHash } = texts
  const [, accessKey, day, region, service] = CREDENTIAL.exec(credential) ?? []
  if (accessKey === undefined || day === undefined || region === undefined || service !== "s3") {
    throw fail("The credential is not of the form access-key/20260131/region/s3/aws4_request.")
  }
  if (!SIGNATURE.test(signature)) throw fail("The signature is not 64 hex digits in lower case.")
  if (!TIME.test(time)) throw fail("The time of a signature, in x-amz-date, is written like 20260131T235959Z.")
  if (!time.startsWith(day)) throw fail("The day of the credential is not the one of x-amz-date.")
  const signedHeaders = texts.signedHeaders.split(";")
  return { accessKey, day, region, time, signedHeaders, signature, payloadHash }
}

/** Checks that what decides a request is signed. */
function checked(found: GivenSignature, headers: Headers): GivenSignature {
  const signed = new Set(found.signedHeaders)
  const unsigned = [...headers.keys()].find((name) => name.startsWith("x-amz-") && !signed.has(name))
  if (unsigned !== undefined || !signed.has("host")) {
    const name = unsigned ?? "host"
    throw s3Error("AccessDenied", `The header ${name.slice(0, 60)} is not among the signed headers; sign it.`)
  }
  return found
}
