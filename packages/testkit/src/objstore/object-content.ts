import { type GeneratedBytes, generateBytes } from "./generated-bytes.ts"
import { ObjstoreError } from "./objstore-answer.ts"
import type { S3Request } from "./s3-request.ts"

/** The bytes of an object. */
export interface ObjectContent {
  readonly size: number
  /** The bytes from `start` up to `end` (exclusive), in pieces. */
  read(start: number, end: number): Iterable<Buffer>
}

/** Content in memory, in the pieces in which it arrived. */
export function storedContent(pieces: readonly Buffer[]): ObjectContent {
  const parts = pieces.map((piece) => ({
    size: piece.length,
    read: (start: number, end: number) => [piece.subarray(start, end)],
  }))
  return joinedContent(parts)
}

/** Content that is generated while it is read, after the optional head. */
export function generatedContent(generated: GeneratedBytes): ObjectContent {
  const { size, head = new Uint8Array() } = generated
  const rest = { ...generated, size: size - head.byteLength }
  const made = { size: rest.size, read: (start: number, end: number) => generateBytes(rest, start, end) }
  return head.byteLength === 0 ? made : joinedContent([storedContent([Buffer.from(head)]), made])
}

/** Content that was counted and discarded. It cannot be read. */
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
