import { PassThrough, type Duplex } from "node:stream"
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib"

/** Compresses as the name of a file asks for: `.gz` and `.tgz`, `.zst`, or not at all. */
export function compressionFor(name: string): Duplex {
  if (/\.(gz|tgz)$/i.test(name)) return createGzip()
  if (/\.(zst|tzst)$/i.test(name)) return createZstdCompress()
  return new PassThrough()
}

/** Decompresses by the first bytes, whatever the name says. */
export function decompressionFor(first: Uint8Array): Duplex {
  if (first[0] === 0x1f && first[1] === 0x8b) return createGunzip()
  if (first[0] === 0x28 && first[1] === 0xb5 && first[2] === 0x2f && first[3] === 0xfd) return createZstdDecompress()
  return new PassThrough()
}
