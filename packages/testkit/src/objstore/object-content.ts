import { createHash } from "node:crypto"
import { ObjstoreError } from "./objstore-answer.ts"
import type { S3Request } from "./s3-request.ts"

/** The bytes of an object. */
export interface ObjectContent {
  readonly size: number
  /** The bytes from `start` up to `end` (exclusive), in pieces. */
  read(start: number, end: number): Iterable<Buffer>
}

/** Returns content in memory, in the pieces in which it arrived. */
export function storedContent(pieces: readonly Buffer[]): ObjectContent {
  const parts = pieces.map((piece) => ({
    size: piece.length,
    read: (start: number, end: number) => [piece.subarray(start, end)],
  }))
  return joinedContent(parts)
}

/** Returns content that is generated while it is read, after the optional head. */
export function generatedContent(generated: GeneratedBytes): ObjectContent {
  const { size, head = new Uint8Array() } = generated
  const rest = { ...generated, size: size - head.byteLength }
  const made = { size: rest.size, read: (start: number, end: number) => generateBytes(rest, start, end) }
  return head.byteLength === 0 ? made : joinedContent([storedContent([Buffer.from(head)]), made])
}

/** Returns content that was counted and discarded. It cannot be read. */
export function discardedContent(size: number): ObjectContent {
  return {
    size,
    read() {
      throw new Error("The bytes of this object were discarded; start the object store without discardUploads.")
    },
  }
}

/** Joins contents, as a multipart upload joins its parts. */
export function joinedContent(parts: readonly ObjectContent[]): ObjectContent {
  const ends: number[] = []
  for (const { size } of parts) ends.push((ends.at(-1) ?? 0) + size)
  return {
    size: ends.at(-1) ?? 0,
    *read(start, end) {
      for (const [index, part] of parts.entries()) {
        const base = (ends[index] ?? 0) - part.size
        if (base >= end) return
        if (base + part.size > start) yield* part.read(Math.max(0, start - base), Math.min(part.size, end - base))
      }
    },
  }
}

const KEPT = new Set(["cache-control", "content-disposition", "content-encoding", "content-language", "expires"])
const MAXIMUM_METADATA = 2048

/** Returns the headers that are stored with an object: content type and similar, and `x-amz-meta-*`. */
export function objectHeaders(headers: S3Request["headers"]): Readonly<Record<string, string>> {
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-meta-"))
  const size = metadata.reduce((sum, [name, value]) => sum + name.length - "x-amz-meta-".length + value.length, 0)
  if (size > MAXIMUM_METADATA) {
    const message = "Your metadata headers exceed the maximum allowed metadata size"
    const details = { Size: String(size), MaxSizeAllowed: String(MAXIMUM_METADATA) }
    throw new ObjstoreError(400, "MetadataTooLarge", message, { details })
  }
  const others = Object.entries(headers).filter(([name]) => KEPT.has(name))
  return {
    "content-type": headers["content-type"] ?? "binary/octet-stream",
    ...Object.fromEntries([...others, ...metadata]),
  }
}

/** Bytes that are derived from a seed: an object of gigabytes without memory. */
export interface GeneratedBytes {
  readonly size: number
  /** Seed of the bytes. Default 0. */
  readonly seed?: number
  /** The first bytes, such as a header. They count in `size`. */
  readonly head?: Uint8Array
}

/** A prime number, so that swapped pieces of any usual size are noticed. */
const PERIOD = 1_048_573

/** Yields the bytes from `start` up to `end` (exclusive), without copies. Default: all. */
export function* generateBytes({ size, seed = 0 }: GeneratedBytes, start = 0, end = size): Iterable<Buffer> {
  const block = createHash("shake256", { outputLength: PERIOD }).update(String(seed)).digest()
  for (let at = start; at < end;) {
    const from = at % PERIOD
    const piece = block.subarray(from, Math.min(PERIOD, from + end - at))
    yield piece
    at += piece.length
  }
}
