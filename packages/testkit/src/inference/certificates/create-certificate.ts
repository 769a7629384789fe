import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto"
import { isIPv4 } from "node:net"
import { bits, der, integer, octets, oid, sequence, text, time, truth } from "./der.ts"

const DAY = 86_400_000

export interface CertificateOptions {
  /** The common name. */
  readonly name: string
  /** Names and IPv4 addresses of the certificate. Default: localhost and 127.0.0.1. */
  readonly hosts?: readonly string[]
  /** The issuer. Default: self-signed. */
  readonly issuer?: Certificate
  /** Whether it may sign others. Default false. */
  readonly isAuthority?: boolean
  /** Days from now. Default -1 to 30. */
  readonly validDays?: readonly [from: number, to: number]
}

/** A certificate with its key, both in PEM. */
export interface Certificate {
  readonly name: string
  readonly cert: string
  readonly key: string
  readonly privateKey: KeyObject
}

/** Creates an X.509 certificate (RFC 5280) with a new P-256 key. */
export function createCertificate(options: CertificateOptions): Certificate {
  const { name, hosts = ["localhost", "127.0.0.1"], issuer, isAuthority = false, validDays = [-1, 30] } = options
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const algorithm = sequence(oid("1.2.840.10045.4.3.2"))
  const [from, to] = validDays.map((days) => time(new Date(Date.now() + days * DAY)))
  const body = sequence(
    der(0xa0, integer(2)),
    der(0x02, Buffer.of(1), randomBytes(8)),
    algorithm,
    distinguished(issuer?.name ?? name),
    sequence(from ?? Buffer.alloc(0), to ?? Buffer.alloc(0)),
    distinguished(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions(hosts, isAuthority))),
  )
  const signature = sign("sha256", body, issuer?.privateKey ?? privateKey)
  return {
    name,
    cert: pem("CERTIFICATE", sequence(body, algorithm, bits(signature))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    privateKey,
  }
}

function distinguished(name: string): Buffer {
  return sequence(der(0x31, sequence(oid("2.5.4.3"), text(name))))
}

function extensions(hosts: readonly string[], isAuthority: boolean): readonly Buffer[] {
  if (isAuthority) return [sequence(oid("2.5.29.19"), truth(), octets(sequence(truth())))]
  const names = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host)),
  )
  return [sequence(oid("2.5.29.17"), octets(sequence(...names)))]
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`
}
