import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"
import { s3Error } from "../s3-error.ts"
import { createCrc32, createCrc64, type Checksum } from "./crc-tables.ts"

/** Algorithms of checksums, as S3 names them in headers, with their bytes. */
const ALGORITHMS = { crc32: 4, crc32c: 4, crc64nvme: 8, sha1: 20, sha256: 32 } as const
export type ChecksumAlgorithm = keyof typeof ALGORITHMS

const HEADER = "x-amz-checksum-"

/** A checksum that a client announced for a body. */
export interface AnnouncedChecksum {
  readonly algorithm: ChecksumAlgorithm | "md5"
  /** Base64. */
  readonly value: string
  /** The name of the header. */
  readonly source: string
}

/** Begins the checksums of bodies. Opened once, because it makes tables. */
export type BeginChecksum = (algorithm: AnnouncedChecksum["algorithm"]) => Checksum

/** Returns a function that begins checksums. */
export function createChecksums(): BeginChecksum {
  // Castagnoli's polynomial (RFC 3720), and the one of NVM Express, both reflected.
  const crc32c = createCrc32(0x82f63b78)
  const crc64nvme = createCrc64(0x9a6c9329ac4bc9b5n)
  return (algorithm) => {
    if (algorithm === "crc32c") return crc32c()
    if (algorithm === "crc64nvme") return crc64nvme()
    return algorithm === "crc32" ? beginCrc32() : createHash(algorithm)
  }
}

function beginCrc32(): Checksum {
  let crc = 0
  return {
    update(bytes) {
      crc = crc32(bytes, crc)
    },
    digest() {
      const result = Buffer.alloc(4)
      result.writeUInt32BE(crc)
      return result
    },
  }
}

/** Returns the algorithm of a header with a checksum. Undefined: it is another header. */
export function algorithmOf(header: string): ChecksumAlgorithm | undefined {
  const name = header.startsWith(HEADER) ? header.slice(HEADER.length) : ""
  return Object.hasOwn(ALGORITHMS, name) ? (name as ChecksumAlgorithm) : undefined
}

/** Returns the header of a checksum. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return HEADER + algorithm
}

/** Headers about checksums that have none. */
const OTHERS = new Set(["x-amz-checksum-mode", "x-amz-checksum-algorithm", "x-amz-checksum-type"])

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns the checksums that the headers of a request announce for its body.
 * @throws `InvalidDigest` for a value that is not one; `NotImplemented` for another algorithm
 */
export function announcedChecksums(headers: Headers): readonly AnnouncedChecksum[] {
  const found: AnnouncedChecksum[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== "string" || !name.startsWith(HEADER) || OTHERS.has(name)) continue
    const algorithm = algorithmOf(name)
    if (algorithm === undefined) throw s3Error("NotImplemented", `The checksum ${name.slice(0, 60)} is not known here.`)
    found.push(parseChecksum(algorithm, value, name))
  }
  const md5 = headers["content-md5"]
  if (typeof md5 === "string") found.push(parseChecksum("md5", md5, "Content-MD5"))
  return found
}

/** @throws `InvalidDigest` */
export function parseChecksum(
  algorithm: AnnouncedChecksum["algorithm"],
  text: string,
  source: string,
): AnnouncedChecksum {
  const value = text.trim()
  const size = algorithm === "md5" ? 16 : ALGORITHMS[algorithm]
  const bytes = Buffer.from(value, "base64")
  if (bytes.byteLength === size && bytes.toString("base64") === value) return { algorithm, value, source }
  throw s3Error("InvalidDigest", `${source} '${value.slice(0, 100)}' is not ${size} bytes in base64.`)
}

/** Checks a checksum after the last byte. @throws `BadDigest` */
export function checkChecksum({ algorithm, value, source }: AnnouncedChecksum, found: Buffer): void {
  const text = found.toString("base64")
  if (text === value) return
  const message = `The body has the ${algorithm} ${text}, and ${source} announces ${value}; nothing was stored.`
  throw s3Error("BadDigest", message)
}
