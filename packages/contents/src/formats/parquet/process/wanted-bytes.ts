import type { AsyncBuffer } from "hyparquet"
import { ParquetFault } from "../parquet-fault.ts"

/** The bytes that the decoding process requested. They arrive in pieces. */
export interface WantedBytes {
  /** The file in the form that the library reads. */
  readonly file: AsyncBuffer
  readonly add: (id: number, bytes: Uint8Array) => void
  readonly lose: (id: number) => void
}

interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>
  filled: number
  readonly resolve: (bytes: ArrayBuffer) => void
  readonly reject: (error: Error) => void
}

/** Creates a file of `size` bytes whose parts are requested with `ask`. */
export function createWantedBytes(size: number, ask: (id: number, start: number, end: number) => void): WantedBytes {
  const parts = new Map<number, Part>()
  let lastId = 0

  async function slice(start: number, end: number): Promise<ArrayBuffer> {
    const length = Math.min(end, size) - start
    if (length === 0) return new ArrayBuffer(0)
    const bytes = new Uint8Array(length)
    return new Promise((resolve, reject) => {
      parts.set(++lastId, { bytes, filled: 0, resolve, reject })
      ask(lastId, start, end)
    })
  }

  return {
    file: {
      byteLength: size,
      slice(start, end = size) {
        const part = slice(start, end)
        // The library requests many parts ahead and ignores the others if one of them fails.
        part.catch(() => {})
        return part
      },
    },
    add(id, bytes) {
      const part = parts.get(id)
      if (part === undefined) return
      part.bytes.set(bytes, part.filled)
      part.filled += bytes.length
      if (part.filled < part.bytes.length) return
      parts.delete(id)
      part.resolve(part.bytes.buffer)
    },
    lose(id) {
      parts.get(id)?.reject(new ParquetFault("its bytes can't be read"))
      parts.delete(id)
    },
  }
}
