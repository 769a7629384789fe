import { findNetworkReason } from "@assay/http"
import { AssayError } from "@assay/schemas/errors"
import type { CallAddress } from "./read-failure.ts"

/** Codes of failures that an immediate second attempt does not change. */
const FINAL = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

/**
 * Converts an error below HTTP into `server_unreachable`, which names the address. Returns the reason of an aborted `signal`, and
 * an `AssayError`, unchanged.
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

/** Returns whether the same call may succeed at once, because an existing connection broke. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof AssayError) || error.code !== "server_unreachable") return false
  const { reason } = error.context
  return typeof reason === "string" && !FINAL.has(reason) && !reason.includes("CERT") && !reason.startsWith("ERR_")
}
