import { AssayError } from "@assay/schemas"
import { CHUNK_HEADER_BYTES, parseChunkHeader, unpackChunk, type ChunkHeader } from "./unpack-chunk.ts"

/** Maximum number of chunks in a xorb. */
export const MAX_XORB_CHUNKS = 8192
/** Maximum size of a xorb as it is sent: 64 MiB of chunks, and what older clients append to them. */
export const MAX_XORB_BYTES = 66 * 1024 * 1024
const MAX_FOOTER_BYTES = 1024 * 1024

/** The beginning of what some clients append to the chunks of a xorb. It repeats what is known from the chunks. */
const FOOTER = Buffer.from("XETBLOB")

/** Receives a chunk, and the bytes that it has in the xorb together with its header. */
export type OnChunk = (bytes: Uint8Array, packed: number) => void

/** Reads a xorb, or some of its chunks, piece by piece. Keeps at most one chunk. */
export interface XorbReader {
  /** @throws `bad_upload` */
  push(piece: Uint8Array): void
  /** Checks that the last chunk is whole. @throws `bad_upload` */
  end(): void
}

export function createXorbReader(onChunk: OnChunk): XorbReader {
  // Bytes of a chunk that began in an earlier piece.
  let waiting: Uint8Array = new Uint8Array(0)
  let count = 0
  let footer: number | undefined
  /** Reads the chunks that are whole, and returns how many bytes they have. */
  function readChunks(bytes: Uint8Array): number {
    let start = 0
    for (;;) {
      const header = headerAt(bytes, start, count)
      if (header === "footer") {
        footer = bytes.length - start
        return bytes.length
      }
      if (header === undefined) return start
      const from = start + CHUNK_HEADER_BYTES
      const end = from + header.packed
      if (end > bytes.length) return start
      const unpacked = unpackChunk(header, bytes.subarray(from, end))
      if (unpacked === undefined)
        throw broken(`Chunk ${count} does not unpack to the ${header.size} bytes that it announces.`)
      count += 1
      if (count > MAX_XORB_CHUNKS) throw broken(`It has more than ${MAX_XORB_CHUNKS} chunks.`)
      onChunk(unpacked, end - start)
      start = end
    }
  }
  return {
    push(piece) {
      if (footer !== undefined) {
        footer += piece.length
        if (footer > MAX_FOOTER_BYTES) throw broken(`More than ${MAX_FOOTER_BYTES} bytes follow its chunks.`)
        return
      }
      const bytes = waiting.length === 0 ? piece : Buffer.concat([waiting, piece])
      // Copied, because the memory of a piece can be used again.
      waiting = Uint8Array.prototype.slice.call(bytes, readChunks(bytes))
    },
    end() {
      if (waiting.length > 0) throw broken(`Chunk ${count} is not whole.`)
    },
  }
}

/** Returns the header at a position, `footer` if the chunks end there, and undefined if more bytes are needed. */
function headerAt(bytes: Uint8Array, start: number, count: number): ChunkHeader | "footer" | undefined {
  if (bytes.length < start + CHUNK_HEADER_BYTES) return undefined
  const raw = bytes.subarray(start, start + CHUNK_HEADER_BYTES)
  if (FOOTER.equals(raw.subarray(0, FOOTER.length))) return "footer"
  const header = parseChunkHeader(raw)
  if (header === undefined) throw broken(`The header of chunk ${count} is not one of Xet, or its sizes are too large.`)
  return header
}

function broken(why: string): AssayError {
  return new AssayError("bad_upload", `The xorb can't be read, so nothing was kept. ${why}`)
}
