import { X509Certificate } from "node:crypto"
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls"
import { AssayError } from "@assay/schemas"

/**
 * What connections trust besides the usual certificates. One for all of them: to read every root again takes milliseconds.
 * @throws `inference_tls` for what is no certificate, which Node would pass over
 */
export function createTrustedContext(ca: string): SecureContext {
  checkCertificate(ca)
  return createSecureContext({ ca: [...getCACertificates("default"), ca] })
}

function checkCertificate(ca: string): X509Certificate {
  try {
    return new X509Certificate(ca)
  } catch (cause) {
    const message = "The `ca` of the endpoint is no certificate in PEM; give the text from BEGIN to END CERTIFICATE."
    throw new AssayError("inference_tls", message, { cause })
  }
}
