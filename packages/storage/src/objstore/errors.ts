import type { HttpHeaders } from "@assay/http"
import type { AssayError } from "@assay/schemas"
import { cleanMessage, remoteError, withFacts, type RemoteTarget } from "../remote/remote-error.ts"
import type { ObjstoreContext } from "./context.ts"
import { meaningOfCode, meaningOfStatus, type Meaning, type Refusal } from "./responses/refusal.ts"

/** Error codes with which stores explain in words that they do not support a signature. */
const ABOUT_VERSION = new Set(["InvalidRequest", "InvalidArgument", "AccessDenied", "NotImplemented"])

/** Converts a refusal to an error: first by its code and message, then by its status. */
export function refusalError(store: ObjstoreContext, refusal: Refusal, target: RemoteTarget): AssayError {
  const [code, what] =
    aboutAddress(store, refusal) ??
    aboutSignature(store, refusal) ??
    meaningOfCode(refusal.code) ??
    aboutAccess(store, refusal) ??
    (refusal.isDocument || refusal.status !== 412 ? meaningOfStatus(refusal.status) : undefined) ??
    aboutAll(store, refusal)
  const { status, code: said, region } = refusal
  return withFacts(remoteError(code, target, what), { status, said_code: said, region })
}

/** Explains a wrong region or host. */
function aboutAddress({ address }: ObjstoreContext, { status, code, region, headers }: Refusal): Meaning | undefined {
  const isElsewhere = status === 301 || status === 302 || status === 307 || status === 308
  const isRegion = code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException"
  if (!isElsewhere && !isRegion && !(status === 400 && region !== "" && region !== address.region)) return undefined
  if (region !== "" && region !== address.region) {
    return [
      "upstream_misconfigured",
      `the bucket is in region '${region}', but was requested in '${address.region}'; set \`region\` to '${region}'.`,
    ]
  }
  const origin = URL.parse(headers["location"] ?? "", address.origin)?.origin
  if (isElsewhere && origin !== undefined && origin !== address.origin && origin !== "null") {
    return [
      "upstream_misconfigured",
      `it is at another address, ${origin}; set \`endpoint_url\` or \`region\` accordingly.`,
    ]
  }
  return ["upstream_misconfigured", `it is not in region '${address.region}'; set \`region\` to the bucket's.`]
}

/** Explains a refused signature. The store's message is left out, because it can contain the signed text. */
function aboutSignature(store: ObjstoreContext, refusal: Refusal): Meaning | undefined {
  const { code, message, headers } = refusal
  const { access, signatureVersion } = store
  if (code === "RequestTimeTooSkewed" || code === "RequestExpired") {
    return [
      "upstream_misconfigured",
      `the clock of this machine ${formatSkew(store.remote.now(), headers["date"])}; set it right.`,
    ]
  }
  if (code === "SignatureDoesNotMatch") {
    return [
      "upstream_refused",
      `it says that the signature is wrong; check the secret of \`secret_access_key_secret\`, whether both credentials go together, and whether the store supports \`signature_version\` '${signatureVersion}'.`,
    ]
  }
  const isVersion = /authorization (mechanism|type)|AWS4-HMAC-SHA256|signature version/i.test(message)
  if (access === "anonymous" || !isVersion || !ABOUT_VERSION.has(code)) return undefined
  const other = signatureVersion === "v2" ? "v4" : "v2"
  return [
    "upstream_misconfigured",
    `it does not support signatures of version ${signatureVersion}; set \`signature_version\` to '${other}'.`,
  ]
}

function formatSkew(now: number, date: string | undefined): string {
  const skew = now - Date.parse(date ?? "")
  if (Number.isNaN(skew)) return "differs too much from the store's"
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return `is ${minutes} ${minutes === 1 ? "minute" : "minutes"} ${skew > 0 ? "ahead of" : "behind"} the store's`
}

function aboutAccess({ access }: ObjstoreContext, { status, code }: Refusal): Meaning | undefined {
  // Swift responds to unsigned requests with other statuses, because they do not reach its S3 API.
  const isRefused = status === 400 || status === 401 || status === 403 || (status === 412 && code === "")
  if (access === "anonymous" && isRefused) {
    return [
      "upstream_refused",
      `it refuses access without a secret (status ${status}); name \`access_key_id_secret\` and \`secret_access_key_secret\`.`,
    ]
  }
  if (status !== 401 && status !== 403) return undefined
  const said = code === "" ? `status ${status}` : code
  return [
    "upstream_refused",
    `the key has no permission to do this (${said}); grant it, or set the secrets to a key that has it.`,
  ]
}

function aboutAll(store: ObjstoreContext, { status, code, message, isDocument, headers }: Refusal): Meaning {
  const isBusy = status === 429 || status === 503
  const type = cleanMessage(headers["content-type"] ?? "no type").slice(0, 100)
  // The response to a HEAD request has no document that could be read.
  if (!isDocument && !(isBusy && /xml/.test(type))) {
    return [
      "upstream_failed",
      `the response does not come from an object store (status ${status}, ${type}); check \`endpoint_url\` and proxies in between.`,
    ]
  }
  const said = cleanMessage([code, message].filter((text) => text !== "").join(": "), store.secrets)
  const answered = `it returned status ${status}${said === "" ? "" : ` (${said})`}`
  return [
    "upstream_failed",
    isBusy
      ? `${answered} repeatedly; try later, or send fewer requests at a time.`
      : `${answered}; try again, and ask the operator of the store if it persists.`,
  ]
}

/** Converts the refusal of a write, which may have a condition in `headers`, to an error. */
export function writeError(
  store: ObjstoreContext,
  refusal: Refusal,
  headers: HttpHeaders,
  target: RemoteTarget,
): AssayError {
  const match = headers["if-match"]
  if (match === undefined && headers["if-none-match"] === undefined) return refusalError(store, refusal, target)
  if (refusal.status === 501 || refusal.code === "NotImplemented") return conditionsUnsupported(target)
  // The condition does not match because there is no file.
  if (refusal.code === "NoSuchKey") return refusalError(store, { ...refusal, code: "PreconditionFailed" }, target)
  return refusalError(store, refusal, target)
}

export function conditionsUnsupported(target: RemoteTarget): AssayError {
  const what =
    "the store does not support conditional writes; nothing was written. Leave If-Match and If-None-Match out, or use another store."
  return remoteError("unsupported", target, what)
}
