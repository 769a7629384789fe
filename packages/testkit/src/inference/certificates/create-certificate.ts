import { type KeyObject, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { isIPv4 } from "node:net"

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

/** Encodes one element of DER (ITU-T X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  const size = length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag), size, content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)

const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)

const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.of(0), bytes)

const integer = (value: number): Buffer => der(0x02, Buffer.of(value))

const truth = (): Buffer => der(0x01, Buffer.of(0xff))

const text = (value: string): Buffer => der(0x0c, Buffer.from(value))

const time = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, "")))

/** Returns an object identifier, written with dots. */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return der(0x06, Buffer.of(first * 40 + second, ...rest.flatMap(base128)))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}
