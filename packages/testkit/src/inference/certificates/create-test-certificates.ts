import { createCertificate, type Certificate } from "./create-certificate.ts"

/** The key and certificates of a server. */
export interface ServerCertificate {
  readonly key: string
  /** The certificate, followed by the sent certificates of its issuers. */
  readonly cert: string
}

/** Certificates of all kinds that real servers have. */
export interface TestCertificates {
  /** The root of a private authority that no system trusts. */
  readonly ca: string
  readonly selfSigned: ServerCertificate
  /** Signed by the authority; the root is not sent. */
  readonly leafOnly: ServerCertificate
  /** Signed by the authority; the root is sent too. */
  readonly fullChain: ServerCertificate
  /** Signed by an intermediate of the authority that is not sent. */
  readonly missingIntermediate: ServerCertificate
  readonly expired: ServerCertificate
  readonly notYetValid: ServerCertificate
  /** Valid only for models.example. */
  readonly wrongHost: ServerCertificate
}

/** Creates them with new keys and the clock of this machine. */
export function createTestCertificates(): TestCertificates {
  const root = createCertificate({ name: "Test root", isAuthority: true })
  const intermediate = createCertificate({ name: "Test intermediate", isAuthority: true, issuer: root })
  const leaf = createCertificate({ name: "leaf", issuer: root })
  return {
    ca: root.cert,
    selfSigned: sent(createCertificate({ name: "self-signed" })),
    leafOnly: sent(leaf),
    fullChain: sent(leaf, root),
    missingIntermediate: sent(createCertificate({ name: "remote leaf", issuer: intermediate })),
    expired: sent(createCertificate({ name: "expired", issuer: root, validDays: [-30, -2] })),
    notYetValid: sent(createCertificate({ name: "early", issuer: root, validDays: [2, 30] })),
    wrongHost: sent(createCertificate({ name: "other", issuer: root, hosts: ["models.example"] })),
  }
}

function sent({ key, cert }: Certificate, ...issuers: readonly Certificate[]): ServerCertificate {
  return { key, cert: [cert, ...issuers.map((issuer) => issuer.cert)].join("") }
}
