import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"

const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[A-Za-z0-9+/]{43}=$/

/** Parses a SHA-256 digest in hex or base64. Returns lower-case hex. @throws `bad_checksum` */
export function parseSha256(text: string, source: string): string {
  const value = text.trim()
  if (HEX.test(value)) return value.toLowerCase()
  if (BASE64.test(value)) return Buffer.from(value, "base64").toString("hex")
  throw new AssayError(
    "bad_checksum",
    `${source} '${value.slice(0, 100)}' is not SHA-256 as 64 hex digits or 44 characters of base64.`,
  )
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An algorithm that is checked. Others of a field are ignored, as RFC 9530 asks for. */
type Algorithm = "sha-256" | "sha-512" | "md5"

/** A digest that a header announces. */
export interface AnnouncedDigest {
  readonly algorithm: Algorithm
  readonly hex: string
  /** The name of the header. */
  readonly source: string
}

const BYTES: Readonly<Record<Algorithm, number>> = { "sha-256": 32, "sha-512": 64, md5: 16 }

function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(BYTES, name)
}

/** Fields of RFC 9530. The body of a PUT is the whole representation, so both mean its bytes. */
const STRUCTURED = [/^\s*([a-z0-9*_.-]+)=:([A-Za-z0-9+/=]*):\s*$/u, "sha-256=:base64:"] as const
/** The older field of RFC 3230. */
const PLAIN = [/^\s*([A-Za-z0-9-]+)=([A-Za-z0-9+/=]+)\s*$/u, "SHA-256=base64"] as const
const FIELDS = [
  ["content-digest", "Content-Digest", STRUCTURED],
  ["repr-digest", "Repr-Digest", STRUCTURED],
  ["digest", "Digest", PLAIN],
] as const

function readDigest(algorithm: Algorithm, value: string, source: string): AnnouncedDigest {
  const bytes = Buffer.from(value, "base64")
  if (bytes.byteLength !== BYTES[algorithm] || bytes.toString("base64") !== value) {
    const size = BYTES[algorithm]
    throw new AssayError(
      "bad_checksum",
      `${source} '${value.slice(0, 100)}' is not ${size} bytes of ${algorithm} in base64.`,
    )
  }
  return { algorithm, hex: bytes.toString("hex"), source }
}

function readField(
  header: string,
  source: string,
  [form, example]: typeof STRUCTURED | typeof PLAIN,
): AnnouncedDigest[] {
  return header.split(",").flatMap((item) => {
    const [, name, value] = form.exec(item) ?? []
    if (name === undefined || value === undefined) {
      throw new AssayError("bad_checksum", `${source} '${header.slice(0, 200)}' is not of the form ${example}.`)
    }
    const algorithm = name.toLowerCase()
    return isAlgorithm(algorithm) ? [readDigest(algorithm, value, source)] : []
  })
}

/**
 * Returns the digests that the headers announce for the body of an upload: x-checksum-sha256, Content-Digest, Repr-Digest, Digest and
 * Content-MD5. There is at most one of each algorithm.
 * @throws `bad_checksum`, also if two headers name different digests
 */
export function announcedDigests(headers: Headers): readonly AnnouncedDigest[] {
  const checksum = headers["x-checksum-sha256"]
  const md5 = headers["content-md5"]
  const source = "x-checksum-sha256"
  const all = [
    ...(typeof checksum === "string"
      ? [{ algorithm: "sha-256", hex: parseSha256(checksum, source), source } as const]
      : []),
    ...FIELDS.flatMap(([name, source, form]) => {
      const header = headers[name]
      return typeof header === "string" ? readField(header, source, form) : []
    }),
    ...(typeof md5 === "string" ? [readDigest("md5", md5.trim(), "Content-MD5")] : []),
  ]
  const found = new Map<Algorithm, AnnouncedDigest>()
  for (const one of all) {
    const other = found.get(one.algorithm) ?? one
    if (other.hex !== one.hex) {
      throw new AssayError("bad_checksum", `${other.source} and ${one.source} name different digests.`)
    }
    found.set(one.algorithm, other)
  }
  return [...found.values()]
}

/** Yields the bytes of a body, and fails after the last one if they do not have the digests. @throws `checksum_mismatch` */
export async function* checkDigests(
  bytes: AsyncIterable<Uint8Array>,
  digests: readonly AnnouncedDigest[],
): AsyncGenerator<Uint8Array, void> {
  const hashes = digests.map((digest) => ({ digest, hash: createHash(digest.algorithm.replace("-", "")) }))
  for await (const piece of bytes) {
    for (const { hash } of hashes) hash.update(piece)
    yield piece
  }
  for (const { digest, hash } of hashes) {
    const found = hash.digest("hex")
    if (found === digest.hex) continue
    const message = `The body has the ${digest.algorithm} ${found}, and ${digest.source} announces ${digest.hex}; nothing was stored.`
    throw new AssayError("checksum_mismatch", message)
  }
}
