import { HANDSHAKE_RESET, OLD_TLS_CODES } from "@assay/schemas"

const OLD_TLS =
  "it speaks only versions of TLS before 1.2, which are not safe and not spoken here; let it speak TLS 1.2 or 1.3, or ask a proxy that does"

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ECONNRESET: "the connection broke off",
  EPIPE: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "no connection came about in time",
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
    "it reset the connection during the TLS handshake; check that the port speaks TLS, and what stands in between",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS; the address may need http:// instead",
}

/** What went wrong below HTTP, in words, from the end of the chain of causes. */
export function networkReason(error: unknown): string {
  let code = ""
  let message = String(error)
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") code = at.code
    message = at.message
  }
  const reason = REASONS[code]
  if (reason === undefined) return code === "" ? message : `${message} (${code})`
  return `${reason} (${code})`
}
