import { AssayError } from "@assay/schemas/errors"
import type { CallAddress } from "./read-failure.ts"

/** Reasons that a second try right away can't change. */
const FINAL = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ECONNRESET: "the connection broke off",
  EPIPE: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  ETIMEDOUT: "it was silent for too long",
  UND_ERR_HEADERS_TIMEOUT: "it was silent for too long",
  UND_ERR_BODY_TIMEOUT: "it was silent for too long",
}

/**
 * What went wrong below HTTP, as `server_unreachable` that names the address. An abort that the caller asked for, and an
 * error that has a code of ours already, come back unchanged.
 */
export function networkFailure(error: unknown, { method, url }: CallAddress, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof AssayError) return error
  const word = networkCode(error)
  const reason = REASONS[word] ?? lastMessage(error)
  const { origin } = new URL(url)
  const message = FINAL.has(word)
    ? `No Assay server answers at ${origin}: ${reason}.`
    : `No answer came from ${origin}: ${reason}.`
  return new AssayError("server_unreachable", message, { context: { method, url, reason: word }, cause: error })
}

/** Whether the same call may fare better at once: the connection was there and broke. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof AssayError) || error.code !== "server_unreachable") return false
  const { reason } = error.context
  return typeof reason === "string" && !FINAL.has(reason) && !reason.includes("CERT") && !reason.startsWith("ERR_")
}

/** The word of the operating system or of the transport, from the end of the chain of causes. */
function networkCode(error: unknown): string {
  let code = ""
  for (let at = error; at instanceof Error; at = at.cause) {
    const own = (at as NodeJS.ErrnoException).code
    if (typeof own === "string") code = own
    else if (at.name === "TimeoutError") code = "ETIMEDOUT"
  }
  return code
}

function lastMessage(error: unknown): string {
  let message = String(error)
  for (let at = error; at instanceof Error; at = at.cause) message = at.message
  return message
}
