import { s3Error } from "../s3-error.ts"
import type { ChunkSigning } from "../signature/verify-signature.ts"
import {
  algorithmOf,
  announcedChecksums,
  type AnnouncedChecksum,
  type BeginChecksum,
  checkChecksum,
  checksumHeader,
  parseChecksum,
} from "./checksums.ts"
import { decodeChunks } from "./decode-chunks.ts"

/** The body of a request as the bytes that its client means. */
export interface OpenedBody {
  /** Fails after the last byte if it is not the body that was signed and announced. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Announced number of bytes, without the frame of chunks. Undefined: not announced. */
  readonly size: number | undefined
  /** The SHA-256 that the bytes must have, lower-case hex. The reader of `bytes` must check it. Undefined: none is announced. */
  readonly sha256: string | undefined
  /** Whether the bytes are pieces of their connection that nobody else uses. */
  readonly isPlain: boolean
  /** Returns the checksums that were compared, as headers. Called after the last byte. */
  checksumHeaders(): Readonly<Record<string, string>>
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface OpenBodyOptions {
  readonly headers: Headers
  /** Undefined: signatures are not checked. */
  readonly signing: ChunkSigning | undefined
  readonly begin: BeginChecksum
}

const HEX = /^[0-9a-f]{64}$/
const STREAMING = /^STREAMING-(?:AWS4-HMAC-SHA256-PAYLOAD(?:-TRAILER)?|UNSIGNED-PAYLOAD-TRAILER)$/

/**
 * Opens the body of a signed request: checks x-amz-content-sha256, the signatures of chunks, and each announced checksum.
 * @throws `InvalidDigest`, `InvalidArgument`, `NotImplemented`, before the first byte is read
 */
export function openBody(raw: AsyncIterable<Uint8Array>, options: OpenBodyOptions): OpenedBody {
  const { headers, begin } = options
  const payload = text(headers["x-amz-content-sha256"]) ?? "UNSIGNED-PAYLOAD"
  const announced = announcedChecksums(headers)
  if (STREAMING.test(payload)) return openChunked(raw, payload, { ...options, announced })
  checkPayload(payload, headers)
  const sha256 = agreed(HEX.test(payload) ? payload : undefined, announced)
  const length = text(headers["content-length"])
  return checkedBody(raw, { announced, size: length === undefined ? undefined : Number(length), sha256, begin })
}

/** Checks that a body is not in chunks. @throws `InvalidArgument`, `NotImplemented` */
function checkPayload(payload: string, headers: Headers): void {
  if (payload !== "UNSIGNED-PAYLOAD" && !HEX.test(payload)) {
    const code = payload.startsWith("STREAMING-") ? "NotImplemented" : "InvalidArgument"
    const message = `x-amz-content-sha256 '${payload.slice(0, 100)}' is not a SHA-256 in lower-case hex, and not a way to send a body that is known here.`
    throw s3Error(code, message)
  }
  if (/\baws-chunked\b/i.test(text(headers["content-encoding"]) ?? "")) {
    throw s3Error(
      "InvalidArgument",
      "A body in chunks (Content-Encoding: aws-chunked) needs STREAMING-… in x-amz-content-sha256.",
    )
  }
}

function openChunked(
  raw: AsyncIterable<Uint8Array>,
  payload: string,
  { headers, signing, begin, announced }: OpenBodyOptions & { readonly announced: readonly AnnouncedChecksum[] },
): OpenedBody {
  const trailers = payload.endsWith("-TRAILER") ? trailerNames(headers) : undefined
  const length = lengthOf(headers)
  const trailed: AnnouncedChecksum[] = []
  const bytes = decodeChunks(raw, {
    length,
    signing: payload.includes("UNSIGNED") ? undefined : signing,
    trailers,
    onTrailer: (name, value) => {
      const algorithm = algorithmOf(name)
      if (algorithm !== undefined) trailed.push(parseChecksum(algorithm, value, name))
    },
  })
  const algorithms = (trailers ?? []).flatMap((name) => algorithmOf(name) ?? [])
  const sha256 = agreed(undefined, announced)
  return checkedBody(bytes, { announced, size: length, sha256, begin, late: { trailed, algorithms } })
}

function text(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined
}

/** Returns the number of bytes without the frame of chunks. @throws `InvalidArgument` */
function lengthOf(headers: Headers): number {
  const length = text(headers["x-amz-decoded-content-length"]) ?? ""
  if (/^\d{1,15}$/.test(length)) return Number(length)
  throw s3Error("InvalidArgument", "A body in chunks needs its number of bytes in x-amz-decoded-content-length.")
}

const MAX_TRAILERS = 5

/** Returns the names of the headers that follow the last chunk. @throws `InvalidArgument`, `NotImplemented` */
function trailerNames(headers: Headers): readonly string[] {
  const names = (text(headers["x-amz-trailer"]) ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "")
  if (names.length === 0 || names.length > MAX_TRAILERS) {
    throw s3Error("InvalidArgument", `x-amz-trailer names from 1 to ${MAX_TRAILERS} headers that follow the body.`)
  }
  const other = names.find((name) => algorithmOf(name) === undefined)
  if (other === undefined) return names
  throw s3Error("NotImplemented", `The header ${other.slice(0, 60)} can't follow a body here, only checksums can.`)
}

/** Returns the SHA-256 of the headers in hex. The storage computes it anyway, so it is compared there. */
function agreed(signed: string | undefined, announced: readonly AnnouncedChecksum[]): string | undefined {
  const found = announced.find(({ algorithm }) => algorithm === "sha256")
  if (found === undefined) return signed
  const hex = Buffer.from(found.value, "base64").toString("hex")
  if (signed === undefined || signed === hex) return hex
  throw s3Error("XAmzContentSHA256Mismatch", "x-amz-content-sha256 and x-amz-checksum-sha256 name different digests.")
}

interface CheckedBody {
  readonly announced: readonly AnnouncedChecksum[]
  readonly size: number | undefined
  readonly sha256: string | undefined
  readonly begin: BeginChecksum
  /** Checksums that follow the body. */
  readonly late?: {
    readonly trailed: readonly AnnouncedChecksum[]
    readonly algorithms: readonly AnnouncedChecksum["algorithm"][]
  }
}

function checkedBody(source: AsyncIterable<Uint8Array>, body: CheckedBody): OpenedBody {
  const { announced, size, sha256, begin, late } = body
  const own = announced.filter(({ algorithm }) => algorithm !== "sha256")
  const algorithms = new Set([...own.map(({ algorithm }) => algorithm), ...(late?.algorithms ?? [])])
  async function* checked(): AsyncGenerator<Uint8Array, void> {
    const sums = [...algorithms].map((algorithm) => ({ algorithm, sum: begin(algorithm) }))
    for await (const piece of source) {
      for (const { sum } of sums) sum.update(piece)
      yield piece
    }
    const found = new Map(sums.map(({ algorithm, sum }) => [algorithm, sum.digest()]))
    for (const one of [...own, ...(late?.trailed ?? [])]) {
      checkChecksum(one, found.get(one.algorithm) ?? Buffer.alloc(0))
    }
  }
  return {
    bytes: algorithms.size === 0 ? source : checked(),
    size,
    sha256,
    isPlain: late === undefined,
    checksumHeaders() {
      const all = [...announced, ...(late?.trailed ?? [])]
      return Object.fromEntries(
        all.flatMap(({ algorithm, value }) => (algorithm === "md5" ? [] : [[checksumHeader(algorithm), value]])),
      )
    },
  }
}
