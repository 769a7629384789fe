import { HANDSHAKE_RESET, OLD_TLS_CODES } from "@assay/http"
import type { Failure, FailureRecord } from "./failure.ts"

const TRUST = "give the certificate of its issuer in PEM as `ca` of the model"

/** The `tls_problem` of an interrupted handshake. It may be temporary; all other problems stay until somebody fixes them. */
export const HANDSHAKE_PROBLEM = "handshake-reset"

/** The problem of a certificate, its reason and its advice, by the code of Node. */
const PROBLEMS: Readonly<Record<string, readonly [problem: string, reason: string, advice: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    "self-signed",
    "is self-signed",
    "give that certificate in PEM as `ca` of the model, if it is the one you expect",
  ],
  SELF_SIGNED_CERT_IN_CHAIN: ["unknown-issuer", "comes from an authority that is not trusted here", TRUST],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "unknown-issuer",
    "has an issuer that is not known here, or the server does not send the intermediate certificates",
    `${TRUST}, and let the server send its whole chain; the host name is checked only then`,
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    "missing-intermediate",
    "comes without the intermediate certificates, or from an authority that is not trusted here",
    `let the server send its whole chain, or ${TRUST}`,
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    "missing-intermediate",
    "has a chain that does not end in a known certificate",
    `let the server send its whole chain, or ${TRUST}`,
  ],
  CERT_HAS_EXPIRED: [
    "expired",
    "has expired, by the clock of this machine",
    "have it renewed, and check that this machine's clock is right",
  ],
  CERT_NOT_YET_VALID: [
    "not-yet-valid",
    "is not valid yet, by the clock of this machine",
    "check that this machine's clock is right, or wait until it is valid",
  ],
  CERT_REVOKED: ["revoked", "was revoked by its issuer", "have the server get a new one"],
}

/** Describes a TLS failure. Returns undefined if the code is not one of TLS. */
export function tlsFailure(code: string, error: Error, { url, host, protocol }: FailureRecord): Failure | undefined {
  const known = PROBLEMS[code]
  if (known !== undefined) {
    const [problem, reason, advice] = known
    return failure(code, problem, `The certificate of ${host} ${reason} (${code})`, advice)
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const names = namesOf(error)
    const made = names.length === 0 ? "another name" : names.map((name) => `'${name}'`).join(", ")
    const reason = `The certificate of ${host} is issued for ${made}, not for this name (${code})`
    const advice = "use one of its names in the URL, or get a certificate for this name"
    const found = failure(code, "wrong-host", reason, advice)
    return { ...found, facts: { ...found.facts, certificate_names: names } }
  }
  if (OLD_TLS_CODES.includes(code)) {
    const reason = `${host} speaks only versions of TLS before 1.2, which are not safe and not supported (${code})`
    return failure(code, "old-version", reason, "let it speak TLS 1.2 or 1.3, or put a proxy that does in front of it")
  }
  if (code === HANDSHAKE_RESET) {
    const reason = `${host} reset the connection during the TLS handshake (${code})`
    const advice = "check that the port speaks TLS, that the server runs, and look for firewalls and proxies in between"
    return failure(code, HANDSHAKE_PROBLEM, reason, advice)
  }
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code) && protocol === "https:") {
    const reason = `${host} does not speak TLS (${code})`
    return failure(code, "plain-http", reason, `use '${url.replace(/^https:/, "http:")}', or the port that speaks TLS`)
  }
  if (/CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_HANDSHAKE_FAILURE/.test(code)) {
    const reason = `${host} refuses the TLS handshake (${code})`
    return failure(code, "handshake", reason, "it may require a client certificate, which is not supported")
  }
  if (/^ERR_SSL_|^ERR_TLS_|^CERT_|CERT/.test(code)) {
    return failure(code, "protocol", `TLS with ${host} failed (${code})`, "check the TLS settings of the server")
  }
  return undefined
}

function failure(tlsCode: string, problem: string, reason: string, advice: string): Failure {
  return { code: "inference_tls", reason, advice, facts: { tls_code: tlsCode, tls_problem: problem } }
}

function namesOf(error: Error): readonly string[] {
  const { cert } = error as { cert?: { subjectaltname?: unknown; subject?: { CN?: unknown } } }
  const names = typeof cert?.subjectaltname === "string" ? cert.subjectaltname.split(/,\s*/) : [cert?.subject?.CN]
  return names.filter((name) => typeof name === "string").map((name) => name.replace(/^(DNS|IP Address):/, ""))
}
