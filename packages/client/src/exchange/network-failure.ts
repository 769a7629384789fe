import { findNetworkReason } from "@assay/http"
import { AssayError } from "@assay/schemas/errors"
import type { CallAddress } from "./read-failure.ts"

/** Reasons that a second try right away can't change. */
const FINAL = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

/**
 * What went wrong below HTTP, as `server_unreachable` that names the address. An abort that the caller asked for, and an
 * error that has a code of ours already, come back unchanged.
 */
export function networkFailure(error: unknown, { method, url }: CallAddress, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof AssayError) return error
  const { code, words } = findNetworkReason(error)
  const { origin } = new URL(url)
  const message = FINAL.has(code)
    ? `No Assay server answers at ${origin}: ${words}.`
    : `No answer came from ${origin}: ${words}.`
  return new AssayError("server_unreachable", message, { context: { method, url, reason: code }, cause: error })
}

/** Whether the same call may fare better at once: the connection was there and broke. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof AssayError) || error.code !== "server_unreachable") return false
  const { reason } = error.context
  return typeof reason === "string" && !FINAL.has(reason) && !reason.includes("CERT") && !reason.startsWith("ERR_")
}
