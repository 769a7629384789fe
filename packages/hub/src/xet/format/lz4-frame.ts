const MAGIC = 0x184d2204
const VERSION = 0b0100_0000
const VERSION_BITS = 0b1100_0000
const HAS_BLOCK_CHECKSUMS = 0b0001_0000
const HAS_SIZE = 0b0000_1000
const HAS_CHECKSUM = 0b0000_0100
const HAS_DICTIONARY = 0b0000_0001
const IS_STORED = 0x80000000
const CHECKSUM_BYTES = 4
const SIZE_BYTES = 8

/**
 * Decodes one frame of LZ4 whose content fills `out` exactly. Checksums are skipped, because callers compare a cryptographic digest. Returns
 * whether the bytes are such a frame.
 * Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export function decodeLz4Frame(frame: Uint8Array, out: Uint8Array): boolean {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (frame.length < 7 || view.getUint32(0, true) !== MAGIC) return false
  const flags = frame[4] ?? 0
  if ((flags & VERSION_BITS) !== VERSION || (flags & HAS_DICTIONARY) !== 0) return false
  // The magic number, the flags, the maximum size of blocks, the size of the content and a checksum of the header.
  let position = 7 + ((flags & HAS_SIZE) === 0 ? 0 : SIZE_BYTES)
  const trailer = (flags & HAS_BLOCK_CHECKSUMS) === 0 ? 0 : CHECKSUM_BYTES
  const size = out.length
  let written = 0
  while (position + 4 <= frame.length) {
    const head = view.getUint32(position, true)
    position += 4
    if (head === 0) {
      const end = position + ((flags & HAS_CHECKSUM) === 0 ? 0 : CHECKSUM_BYTES)
      return end === frame.length && written === size
    }
    const length = head % IS_STORED
    const end = position + length
    if (end + trailer > frame.length) return false
    if (head >= IS_STORED) {
      if (length > size - written) return false
      out.set(frame.subarray(position, end), written)
      written += length
    } else {
      const decoded = decodeBlock(frame.subarray(position, end), out, written)
      if (decoded === undefined) return false
      written = decoded
    }
    position = end + trailer
  }
  return false
}

const MIN_MATCH = 4
/** The value of half a token that says that bytes with more of the length follow. */
const LONG = 15

/**
 * Decodes a block into `out` from `start` on, and returns where its content ends. Matches can begin in earlier blocks.
 * Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
function decodeBlock(block: Uint8Array, out: Uint8Array, start: number): number | undefined {
  let from = 0
  let to = start
  /** Adds the bytes that extend a length. Stops adding when the length is too large for `out`. */
  const extend = (length: number): number => {
    let total = length
    for (;;) {
      const more = block[from]
      if (more === undefined) return Infinity
      from += 1
      total += more
      if (more !== 255 || total > out.length) return total
    }
  }
  while (from < block.length) {
    const token = block[from] ?? 0
    from += 1
    let literals = token >> 4
    if (literals === LONG) literals = extend(literals)
    if (literals > block.length - from || literals > out.length - to) return undefined
    if (literals > 0) {
      place(out, to, block.subarray(from, from + literals))
      from += literals
      to += literals
    }
    // The last sequence of a block has no match.
    if (from === block.length) return to
    const offset = (block[from] ?? 0) | ((block[from + 1] ?? 0) << 8)
    from += 2
    let length = token & LONG
    if (length === LONG) length = extend(length)
    length += MIN_MATCH
    if (from > block.length || offset === 0 || offset > to || length > out.length - to) return undefined
    if (offset >= length && length > SHORT) out.copyWithin(to, to - offset, to - offset + length)
    // A match may overlap its copy, and then repeats itself.
    else for (let end = to + length, at = to; at < end; at++) out[at] = out[at - offset] ?? 0
    to += length
  }
  return undefined
}

/** Up to this length, a loop is faster than a call. */
const SHORT = 32

/** Writes bytes to a position. */
function place(out: Uint8Array, at: number, bytes: Uint8Array): void {
  if (bytes.length > SHORT) out.set(bytes, at)
  else for (let index = 0; index < bytes.length; index++) out[at + index] = bytes[index] ?? 0
}
