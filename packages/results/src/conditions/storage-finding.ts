import { causeChain } from "@assay/http"
import { type AssayError, type ConditionCode, isAssayError } from "@assay/schemas"
import type { Finding } from "./condition-findings.ts"

/** The context of errors of storages. */
interface StorageContext {
  readonly storage?: unknown
  readonly place?: unknown
  readonly status?: unknown
  readonly said_code?: unknown
  readonly region?: unknown
  readonly page?: unknown
}

type Classified = Omit<Finding, "message">

const CLOCK = /^Request(TimeTooSkewed|Expired)$/
const REGION = /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/
const BUSY = /^(SlowDown|RequestLimitExceeded|Throttling\w*|TooManyRequests)$/
const LACKING = /^(NotImplemented|XAmzContentSHA256Mismatch|BadDigest|InvalidDigest)$/

/** Finds the condition of a storage's error, by its code and the response of the backend. Returns undefined for any other error. */
export function storageFinding({ code, message, context }: AssayError): Finding | undefined {
  const found = BY_CODE[code]?.(context)
  return found === undefined ? undefined : { ...found, message }
}

const BY_CODE: Readonly<Partial<Record<AssayError["code"], (context: StorageContext) => Classified | undefined>>> = {
  disk_full: () => ({ code: "disk_full" }),
  upstream_gated: gated,
  upstream_refused: refused,
  upstream_missing: missing,
  upstream_misconfigured: misconfigured,
  upstream_failed: failed,
  upstream_timeout: failed,
  not_found: (context) => (context.storage === undefined ? undefined : fileMissing(context)),
}

function gated({ storage, place, page }: StorageContext): Classified {
  if (storage === "catalog") {
    return only(
      "gated_repository",
      "Accept the licence on the asset's page of the catalog, with the account of the key.",
    )
  }
  const code = wordOf(place).startsWith("dataset ") ? "gated_dataset" : "gated_repository"
  return typeof page === "string" ? { code, advice: `Ask for access at ${page}.` } : { code }
}

function refused({ storage }: StorageContext): Classified {
  if (storage === "hub")
    return only("storage_auth", "Set the secret of `token_secret` to a token that is valid and may read there.")
  if (storage === "catalog")
    return only("storage_auth", "Set the secret of `api_key_secret` to a key that is valid and may read there.")
  return { code: "storage_auth" }
}

function missing({ storage, status }: StorageContext): Classified {
  if (storage === "hub") return { code: status === 403 ? "hub_disabled" : "hub_not_found" }
  if (storage === "catalog")
    return only("storage_not_found", "Check org, team, target and version, and that the key has access.")
  return { code: "storage_not_found" }
}

function fileMissing({ storage }: StorageContext): Classified {
  const codes: Readonly<Record<string, ConditionCode>> = { hub: "hub_not_found", objstore: "storage_not_found" }
  return { code: codes[wordOf(storage)] ?? "dataset_missing" }
}

function misconfigured(context: StorageContext): Classified {
  const { storage, status, region } = context
  const said = wordOf(context.said_code)
  if (storage === "hub") return { code: "hub_not_found" }
  if (storage === "catalog") return missing(context)
  if (CLOCK.test(said)) return { code: "storage_clock" }
  const isElsewhere = typeof status === "number" && status >= 300 && status < 400
  if (typeof region === "string") return { code: "storage_region", advice: `The bucket is in region '${region}'.` }
  if (isElsewhere || REGION.test(said)) return { code: "storage_region" }
  if (status === undefined || said === "InvalidBucketName") return { code: "storage_not_found" }
  return {
    code: "storage_incompatible",
    advice: "If the message names `signature_version`, set it as the message says.",
  }
}

function failed({ storage, status, said_code: said }: StorageContext): Classified {
  const code = wordOf(said)
  if (status === 429 || BUSY.test(code)) {
    const what = storage === "hub" ? "hub" : "storage"
    const advice =
      storage === "hub"
        ? "Wait, or set `token_secret`: a known user may send more requests."
        : "Wait, or send fewer requests at the same time."
    return { ...only("rate_limited", advice), title: `The ${what} limits the rate` }
  }
  if (status === 501 || LACKING.test(code)) return { code: "storage_incompatible" }
  return { code: "datastore_unreachable" }
}

function only(code: ConditionCode, advice: string): Classified {
  return { code, advice, isAdviceAll: true }
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

/** Finds the condition of a storage's error, or of a cause that is one. Returns undefined if no storage failed. */
export function classifyStorageError(error: unknown): ConditionCode | undefined {
  for (const one of causeChain(error)) {
    const found = isAssayError(one) ? storageFinding(one) : undefined
    if (found !== undefined) return found.code
  }
  return undefined
}
