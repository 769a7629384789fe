import type { AssayError } from "@assay/schemas"
import { cleanMessage } from "../remote/clean-message.ts"
import { remoteError, withFacts, type RemoteTarget } from "../remote/remote-error.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { meaningOfCode, meaningOfStatus, type Meaning } from "./refusal-meanings.ts"
import type { Refusal } from "./refusal.ts"

/** With these a store that does not understand a signature says so in words. */
const ABOUT_VERSION = new Set(["InvalidRequest", "InvalidArgument", "AccessDenied", "NotImplemented"])

/** The error that a refusal is: by what it says of itself first, then by its status. */
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

/** Region and host. */
function aboutAddress({ address }: ObjstoreContext, { status, code, region, headers }: Refusal): Meaning | undefined {
  const isElsewhere = status === 301 || status === 302 || status === 307 || status === 308
  const isRegion = code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException"
  if (!isElsewhere && !isRegion && !(status === 400 && region !== "" && region !== address.region)) return undefined
  if (region !== "" && region !== address.region) {
    return [
      "upstream_misconfigured",
      `the bucket is in region '${region}', and was asked for in '${address.region}'; set \`region\` to '${region}'.`,
    ]
  }
  const origin = URL.parse(headers["location"] ?? "", address.origin)?.origin
  if (isElsewhere && origin !== undefined && origin !== address.origin && origin !== "null") {
    return [
      "upstream_misconfigured",
      `it is asked at another address, ${origin}; set \`endpoint_url\` or \`region\` accordingly.`,
    ]
  }
  return ["upstream_misconfigured", `it is not asked in region '${address.region}'; set \`region\` to the bucket's.`]
}

/** What a store does not like about a signature. Its own words are left out: they can hold the text that was signed. */
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
      `it finds the signature wrong; check the secret of \`secret_access_key_secret\`, and whether the store takes \`signature_version\` '${signatureVersion}'.`,
    ]
  }
  const isVersion = /authorization (mechanism|type)|AWS4-HMAC-SHA256|signature version/i.test(message)
  if (access === "anonymous" || !isVersion || !ABOUT_VERSION.has(code)) return undefined
  const other = signatureVersion === "v2" ? "v4" : "v2"
  return [
    "upstream_misconfigured",
    `it does not take signatures of version ${signatureVersion}; set \`signature_version\` to '${other}'.`,
  ]
}

function formatSkew(now: number, date: string | undefined): string {
  const skew = now - Date.parse(date ?? "")
  if (Number.isNaN(skew)) return "differs too much from the store's"
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return `is ${minutes} ${minutes === 1 ? "minute" : "minutes"} ${skew > 0 ? "ahead of" : "behind"} the store's`
}

function aboutAccess({ access }: ObjstoreContext, { status, code }: Refusal): Meaning | undefined {
  // Swift has other ideas of requests without a signature: to its S3 part they are not addressed at all.
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
    `the key has no right to do this (${said}); give it the right, or set the secrets to one that has it.`,
  ]
}

function aboutAll(store: ObjstoreContext, { status, code, message, isDocument, headers }: Refusal): Meaning {
  if (!isDocument) {
    const type = cleanMessage(headers["content-type"] ?? "no type").slice(0, 100)
    return [
      "upstream_failed",
      `what came is no answer of an object store (status ${status}, ${type}); check \`endpoint_url\` and proxies in between.`,
    ]
  }
  const isBusy = status === 429 || status === 503
  const said = cleanMessage([code, message].filter((text) => text !== "").join(": "), store.secrets)
  const answered = `it answered with status ${status}${said === "" ? "" : ` (${said})`}`
  return [
    "upstream_failed",
    isBusy
      ? `${answered} again and again; try later, or ask less at a time.`
      : `${answered}; try again, and ask who runs the store if it stays.`,
  ]
}
