import { HANDSHAKE_RESET, OLD_TLS_CODES } from "./tls-handshake.ts"

const OLD_TLS =
  "it speaks only versions of TLS before 1.2, which are not safe and not supported; let it speak TLS 1.2 or 1.3, or put a proxy that does in front of it"

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ECONNRESET: "the connection broke off",
  EPIPE: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "no connection was made in time",
  ETIMEDOUT: "it was silent for too long",
  UND_ERR_HEADERS_TIMEOUT: "it was silent for too long",
  UND_ERR_BODY_TIMEOUT: "it was silent for too long",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ...Object.fromEntries(OLD_TLS_CODES.map((code) => [code, OLD_TLS])),
  [HANDSHAKE_RESET]:
    "it reset the connection during the TLS handshake; check that the port speaks TLS, and look for firewalls and proxies in between",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS; the address may need http:// instead",
}

/** Why a request failed below HTTP. */
export interface NetworkReason {
  /** The innermost code of the chain of causes, of the system, TLS or the transport. Empty: there is none. */
  readonly code: string
  /** Half a sentence. */
  readonly words: string
}

/** Finds what went wrong below HTTP. If the code is not known, the words are the innermost message. */
export function findNetworkReason(error: unknown): NetworkReason {
  let code = ""
  let message = String(error)
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") code = at.code
    else if (at.name === "TimeoutError") code = "ETIMEDOUT"
    message = at.message
  }
  return { code, words: REASONS[code] ?? message }
}

/** Describes what went wrong below HTTP in half a sentence that ends with the code in parentheses. */
export function networkReason(error: unknown): string {
  const { code, words } = findNetworkReason(error)
  return code === "" ? words : `${words} (${code})`
}

const MAX_DEPTH = 20

/** Returns an error and its causes, from the outside in. The errors of an `AggregateError` come in their order, before its cause. */
export function causeChain(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return []
  const inner = error instanceof AggregateError ? error.errors.flatMap((one) => causeChain(one, depth + 1)) : []
  return [error, ...inner, ...causeChain(error.cause, depth + 1)]
}

/** Returns the outermost code in a chain of causes (of the system, TLS or the transport), with the error that has it. */
export function firstCode(error: unknown): { readonly code: string; readonly error: Error } | undefined {
  for (const one of causeChain(error)) {
    if ("code" in one && typeof one.code === "string") return { code: one.code, error: one }
  }
  return undefined
}
