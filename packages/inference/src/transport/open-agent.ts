import { X509Certificate } from "node:crypto"
import { createSecureContext, getCACertificates } from "node:tls"
import { AssayError, withHandshakeFailures } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { ConnectionOptions } from "../inference-context.ts"

const CONNECT_MS = 10_000

/** An agent that dials any address. @throws `inference_tls` when `ca` is no certificate */
export async function openAgent({ ca }: ConnectionOptions): Promise<Dispatcher> {
  const { Agent, buildConnector } = await import("undici")
  // One context for all connections: reading every root again costs milliseconds each time.
  const secureContext = ca === undefined ? undefined : createSecureContext({ ca: trusted(ca) })
  return new Agent({
    allowH2: false,
    connect: withHandshakeFailures(
      buildConnector({ timeout: CONNECT_MS, ...(secureContext !== undefined && { secureContext }) }),
    ),
  })
}

function trusted(ca: string): string[] {
  try {
    // Parsed for its first certificate, since Node itself passes over what it can't read.
    const first = new X509Certificate(ca).toString()
    return [...getCACertificates("default"), first, ca]
  } catch (error) {
    const message = "The `ca` of the endpoint is no certificate in PEM; give the text from BEGIN to END CERTIFICATE."
    throw new AssayError("inference_tls", message, { cause: error })
  }
}
