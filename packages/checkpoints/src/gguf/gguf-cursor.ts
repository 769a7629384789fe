import { AssayError } from "@assay/schemas/errors"
import type { StoredFile } from "@assay/storage"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"

/** A position in a file that moves forward. Call `need` before taking numbers and texts, unless `has` returns true. */
export interface GgufCursor {
  readonly has: (bytes: number) => boolean
  /**
   * Reads until `bytes` more bytes are available.
   * @throws a fault if the file or the header limit ends earlier
   */
  readonly need: (bytes: number) => Promise<void>
  /** Skips `bytes`. Bytes that are not yet available are not read. */
  readonly skip: (bytes: number) => void
  readonly position: () => number
  readonly u8: () => number
  readonly u16: () => number
  readonly u32: () => number
  readonly i8: () => number
  readonly i16: () => number
  readonly i32: () => number
  readonly f32: () => number
  readonly f64: () => number
  /** @throws a fault for a number above 2⁵³ */
  readonly u64: () => number
  readonly i64: () => number
  readonly text: (bytes: number) => string
}

/** Headers of the largest vocabularies have about 30 MB. */
const MAX_GGUF_HEADER_BYTES = 100_000_000

const FIRST_WINDOW = 256 * 1024
const MAX_WINDOW = 2 * 1024 * 1024

/**
 * Starts at the first byte of `file`. The read size grows, so that a short header costs few bytes and a long one few
 * requests.
 */
export function createGgufCursor(reader: CheckpointReader, file: StoredFile): GgufCursor {
  let bytes: Buffer = Buffer.alloc(0)
  let start = 0
  let at = 0
  let window = FIRST_WINDOW

  function take<T>(size: number, read: (from: number) => T): T {
    const value = read(at)
    at += size
    return value
  }

  function whole(value: bigint): number {
    const number = Number(value)
    if (!Number.isSafeInteger(number)) throw ggufFault(`has a number of ${value} where a size is expected`)
    return number
  }

  return {
    has: (count) => at + count <= bytes.length,
    position: () => start + at,
    async need(count) {
      if (at + count <= bytes.length) return
      if (start + at + count > file.size) throw ggufFault("ends within its header")
      if (start + at + count > MAX_GGUF_HEADER_BYTES) {
        throw ggufFault(`has a header of more than ${MAX_GGUF_HEADER_BYTES} bytes, the maximum that is read`)
      }
      const kept = bytes.subarray(at)
      start += at
      at = 0
      const more = await reader.read(file, start + kept.length, Math.max(count - kept.length, window))
      bytes = Buffer.concat([kept, more])
      window = Math.min(2 * window, MAX_WINDOW)
    },
    skip(count) {
      at += count
      if (at <= bytes.length) return
      start += at
      at = 0
      bytes = Buffer.alloc(0)
    },
    u8: () => take(1, (from) => bytes.readUInt8(from)),
    u16: () => take(2, (from) => bytes.readUInt16LE(from)),
    u32: () => take(4, (from) => bytes.readUInt32LE(from)),
    i8: () => take(1, (from) => bytes.readInt8(from)),
    i16: () => take(2, (from) => bytes.readInt16LE(from)),
    i32: () => take(4, (from) => bytes.readInt32LE(from)),
    f32: () => take(4, (from) => bytes.readFloatLE(from)),
    f64: () => take(8, (from) => bytes.readDoubleLE(from)),
    u64: () => whole(take(8, (from) => bytes.readBigUInt64LE(from))),
    i64: () => Number(take(8, (from) => bytes.readBigInt64LE(from))),
    text: (count) => take(count, (from) => bytes.toString("utf8", from, from + count)),
  }
}

/** Returns the error for a faulty GGUF file. `text` is the end of a sentence and is also stored in `context.gguf`. */
export function ggufFault(text: string): AssayError {
  return new AssayError("broken_checkpoint", `The GGUF file ${text}.`, { context: { gguf: text } })
}

/** Returns the `text` of an error that `ggufFault` made, or undefined for any other error. */
export function ggufFaultOf(error: unknown): string | undefined {
  if (!(error instanceof AssayError)) return undefined
  const text = error.context["gguf"]
  return typeof text === "string" ? text : undefined
}
