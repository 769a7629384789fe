// Entry of `@assay/http/node`. It loads TLS, so the transports load it at their first request.
import { X509Certificate } from "node:crypto"
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls"
import { AssayError } from "@assay/schemas/errors"
import type { Dispatcher } from "undici"
import { withHandshakeFailures } from "../failure/tls-handshake.ts"

/** Maximum number of milliseconds until a connection is made. */
const CONNECT_MS = 10_000

export interface AgentOptions {
  /** Certificates in PEM that are trusted in addition to those of the system. */
  readonly ca?: string | undefined
  /** False: HTTP/1.1 only. Default: what undici does. */
  readonly allowH2?: boolean
}

/** Opens an agent that dials every address. @throws `inference_tls` if `ca` is not a certificate */
export async function openAgent({ ca, ...protocol }: AgentOptions = {}): Promise<Dispatcher> {
  const { Agent, buildConnector } = await import("undici")
  const trusted = ca === undefined ? {} : { secureContext: createTrustedContext(ca) }
  return new Agent({
    ...protocol,
    connect: withHandshakeFailures(buildConnector({ timeout: CONNECT_MS, ...trusted })),
  })
}

/**
 * Creates the TLS context of an agent that also trusts `ca`. Use one context for all connections of the agent: reading every
 * root certificate takes milliseconds.
 * @throws `inference_tls` if `ca` is not a certificate
 */
export function createTrustedContext(ca: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates("default"), firstCertificate(ca), ca] })
}

/** Parses the first certificate, because Node silently ignores text that it can't read. */
function firstCertificate(ca: string): string {
  try {
    return new X509Certificate(ca).toString()
  } catch (cause) {
    const message = "The `ca` of the endpoint is not a certificate in PEM; give the text from BEGIN to END CERTIFICATE."
    throw new AssayError("inference_tls", message, { cause })
  }
}
