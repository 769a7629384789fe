import { formatXetHash, HASH_BYTES, parseXetHash } from "./xet-hash.ts"

/** A part of a file: some chunks of a xorb, one after the other. */
export interface FileTerm {
  readonly xorb: string
  readonly first: number
  /** The chunk after the last one. */
  readonly end: number
  /** Bytes of the part. */
  readonly size: number
}

const ENTRY_BYTES = HASH_BYTES + 12

/** Returns the bytes that store the terms of a file. */
export function packTerms(terms: readonly FileTerm[]): Uint8Array {
  const bytes = Buffer.alloc(terms.length * ENTRY_BYTES)
  for (const [index, { xorb, first, end, size }] of terms.entries()) {
    const at = index * ENTRY_BYTES
    bytes.set(parseXetHash(xorb), at)
    bytes.writeUInt32LE(first, at + HASH_BYTES)
    bytes.writeUInt32LE(end, at + HASH_BYTES + 4)
    bytes.writeUInt32LE(size, at + HASH_BYTES + 8)
  }
  return bytes
}

export function parseTerms(bytes: Uint8Array): readonly FileTerm[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
    const at = index * ENTRY_BYTES
    return {
      xorb: formatXetHash(bytes.subarray(at, at + HASH_BYTES)),
      first: view.getUint32(at + HASH_BYTES, true),
      end: view.getUint32(at + HASH_BYTES + 4, true),
      size: view.getUint32(at + HASH_BYTES + 8, true),
    }
  })
}
