/** The facts about an entry that the central directory contains. */
export interface ZipEntry {
  readonly name: Uint8Array
  readonly mtime: number
  readonly crc: number
  readonly size: number
  /** The bytes that its data takes in the archive. */
  readonly stored: number
  /** The offset of its local header. */
  readonly offset: number
}

/** The value of a 32-bit field whose number is in the Zip64 extension instead. */
const IN_ZIP64 = 0xffffffff
/** The version needed to extract: 4.5, for Zip64. */
const VERSION = 45
/** The upper byte means Unix, so that unpackers read the mode of the file. */
const MADE_BY = (3 << 8) | VERSION
/** Bit 3: checksum and size follow the bytes. Bit 11: names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
const REGULAR_FILE = (0o100644 << 16) >>> 0

/** Writes the header before the bytes of an entry, whose checksum and size are not known yet. */
export function localHeader(name: Uint8Array, mtime: number, isZip64: boolean): Buffer {
  const header = Buffer.alloc(30 + (isZip64 ? 20 : 0))
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(isZip64 ? VERSION : 20, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATE, 8)
  header.writeUInt32LE(dosTime(mtime), 10)
  header.writeUInt16LE(name.length, 26)
  if (!isZip64) return Buffer.concat([header, name])
  header.writeUInt32LE(IN_ZIP64, 18)
  header.writeUInt32LE(IN_ZIP64, 22)
  header.writeUInt16LE(20, 28)
  header.writeUInt16LE(0x0001, 30)
  header.writeUInt16LE(16, 32)
  return Buffer.concat([header.subarray(0, 30), name, header.subarray(30)])
}

/** Writes the record after the bytes of an entry. Sizes have 8 bytes if the local header has the Zip64 extension, else 4. */
export function dataDescriptor({ crc, size, stored }: ZipEntry, isZip64: boolean): Buffer {
  const record = Buffer.alloc(isZip64 ? 24 : 16)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(crc, 4)
  if (isZip64) {
    record.writeBigUInt64LE(BigInt(stored), 8)
    record.writeBigUInt64LE(BigInt(size), 16)
  } else {
    record.writeUInt32LE(stored, 8)
    record.writeUInt32LE(size, 12)
  }
  return record
}

/** Writes the record of an entry in the central directory. */
export function directoryRecord({ name, mtime, crc, size, stored, offset }: ZipEntry): Buffer {
  const large = [size, stored, offset].filter((value) => value >= IN_ZIP64)
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(MADE_BY, 4)
  record.writeUInt16LE(large.length > 0 ? VERSION : 20, 6)
  record.writeUInt16LE(FLAGS, 8)
  record.writeUInt16LE(DEFLATE, 10)
  record.writeUInt32LE(dosTime(mtime), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(Math.min(stored, IN_ZIP64), 20)
  record.writeUInt32LE(Math.min(size, IN_ZIP64), 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(large.length === 0 ? 0 : 4 + large.length * 8, 30)
  record.writeUInt32LE(REGULAR_FILE, 38)
  record.writeUInt32LE(Math.min(offset, IN_ZIP64), 42)
  return Buffer.concat([record, name, zip64Extra(large)])
}

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  return extra
}

interface ZipDirectory {
  readonly entries: number
  readonly size: number
  readonly offset: number
}

/** Writes the end of an archive: where its central directory is, with Zip64 records if the numbers need them. */
export function endRecords({ entries, size, offset }: ZipDirectory): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries, 0xffff), 10)
  end.writeUInt32LE(Math.min(size, IN_ZIP64), 12)
  end.writeUInt32LE(Math.min(offset, IN_ZIP64), 16)
  if (entries < 0xffff && size < IN_ZIP64 && offset < IN_ZIP64) return end
  const zip64 = Buffer.alloc(56 + 20)
  zip64.writeUInt32LE(0x06064b50, 0)
  zip64.writeBigUInt64LE(44n, 4)
  zip64.writeUInt16LE(MADE_BY, 12)
  zip64.writeUInt16LE(VERSION, 14)
  zip64.writeBigUInt64LE(BigInt(entries), 24)
  zip64.writeBigUInt64LE(BigInt(entries), 32)
  zip64.writeBigUInt64LE(BigInt(size), 40)
  zip64.writeBigUInt64LE(BigInt(offset), 48)
  zip64.writeUInt32LE(0x07064b50, 56)
  zip64.writeBigUInt64LE(BigInt(offset + size), 64)
  zip64.writeUInt32LE(1, 72)
  return Buffer.concat([zip64, end])
}

/** Converts a time to the DOS format: date and time of day in UTC, in steps of 2 seconds, from 1980 to 2107. */
function dosTime(mtime: number): number {
  const at = new Date(Math.min(Math.max(mtime, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31, 23, 59, 58)))
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >>> 1)
  return ((date << 16) | time) >>> 0
}

const MAX_BLOCK_BYTES = 0xffff
const BLOCK_HEADER_BYTES = 5

/** The end of a stream of blocks: an empty block that is marked as the last. */
export const LAST_BLOCK: Uint8Array = Uint8Array.of(1, 0, 0, 0xff, 0xff)

/**
 * Puts bytes into uncompressed blocks of a deflate stream, with 5 more bytes for every 65,535. Unlike the zip method "stored", the
 * stream marks its own end. Source: RFC 1951, section 3.2.4.
 */
export function storedBlocks(bytes: Uint8Array): Uint8Array {
  const count = Math.ceil(bytes.length / MAX_BLOCK_BYTES)
  const blocks = Buffer.allocUnsafe(bytes.length + count * BLOCK_HEADER_BYTES)
  for (let block = 0; block < count; block++) {
    const start = block * MAX_BLOCK_BYTES
    const part = bytes.subarray(start, start + MAX_BLOCK_BYTES)
    const at = start + block * BLOCK_HEADER_BYTES
    blocks[at] = 0
    blocks.writeUInt16LE(part.length, at + 1)
    blocks.writeUInt16LE(part.length ^ MAX_BLOCK_BYTES, at + 3)
    blocks.set(part, at + BLOCK_HEADER_BYTES)
  }
  return blocks
}
