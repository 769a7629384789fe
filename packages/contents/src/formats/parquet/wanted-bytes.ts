import type { AsyncBuffer } from "hyparquet"
import { ParquetFault } from "./parquet-fault.ts"

/** Bytes that are asked for in the process that decodes, and arrive in pieces. */
export interface WantedBytes {
  /** The file as the library reads it. */
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

/** Asks for the bytes of a file of `size` bytes with `ask`. */
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
        // The reader asks for many parts ahead, and forgets about the others when one of them fails.
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
