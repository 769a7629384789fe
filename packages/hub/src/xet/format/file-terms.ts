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

/** Returns the number of terms in stored bytes. */
export function countTerms(bytes: Uint8Array): number {
  return Math.floor(bytes.length / ENTRY_BYTES)
}

export function parseTerms(bytes: Uint8Array): readonly FileTerm[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: countTerms(bytes) }, (_, index) => {
    const at = index * ENTRY_BYTES
    return {
      xorb: formatXetHash(bytes.subarray(at, at + HASH_BYTES)),
      first: view.getUint32(at + HASH_BYTES, true),
      end: view.getUint32(at + HASH_BYTES + 4, true),
      size: view.getUint32(at + HASH_BYTES + 8, true),
    }
  })
}

/** Chunks of one xorb that a file has, one after the other. */
export interface TermRun {
  readonly first: number
  /** The chunk after the last one. */
  readonly end: number
  /** Where the first chunk begins in the file. */
  readonly start: number
}

/** Returns the parts of a file with chunks of one xorb. Looks at the stored bytes, because a reader asks for one xorb at a time. */
export function runsOf(bytes: Uint8Array, xorb: string): readonly TermRun[] {
  const wanted = parseXetHash(xorb)
  const terms = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const runs: TermRun[] = []
  let start = 0
  for (let at = 0; at + ENTRY_BYTES <= terms.length; at += ENTRY_BYTES) {
    const numbers = at + HASH_BYTES
    if (terms.compare(wanted, 0, HASH_BYTES, at, numbers) === 0) {
      runs.push({ first: terms.readUInt32LE(numbers), end: terms.readUInt32LE(numbers + 4), start })
    }
    start += terms.readUInt32LE(numbers + 8)
  }
  return runs
}
