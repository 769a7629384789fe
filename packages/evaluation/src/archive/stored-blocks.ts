const LONGEST_BLOCK = 0xffff
const HEADER = 5

/** What ends a stream of blocks: an empty one that is marked as the last. */
export const LAST_BLOCK: Uint8Array = Uint8Array.of(1, 0, 0, 0xff, 0xff)

/**
 * Bytes as blocks of a deflate stream that are stored as they are: five bytes more for every 65,535. Unlike plain stored
 * bytes, they tell where they end. Source: RFC 1951, section 3.2.4.
 */
export function storedBlocks(bytes: Uint8Array): Uint8Array {
  const count = Math.ceil(bytes.length / LONGEST_BLOCK)
  const blocks = Buffer.allocUnsafe(bytes.length + count * HEADER)
  for (let block = 0; block < count; block++) {
    const start = block * LONGEST_BLOCK
    const part = bytes.subarray(start, start + LONGEST_BLOCK)
    const at = start + block * HEADER
    blocks[at] = 0
    blocks.writeUInt16LE(part.length, at + 1)
    blocks.writeUInt16LE(part.length ^ LONGEST_BLOCK, at + 3)
    blocks.set(part, at + HEADER)
  }
  return blocks
}
