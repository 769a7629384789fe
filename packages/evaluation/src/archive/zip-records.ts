/** What the central directory has to say of an entry. */
export interface ZipEntry {
  readonly name: Uint8Array
  readonly mtime: number
  readonly crc: number
  readonly size: number
  /** Bytes that it takes in the archive. */
  readonly stored: number
  /** Where its local header begins. */
  readonly offset: number
}

/** What a field of 32 bits says where the number stands in the Zip64 extension. */
const IN_ZIP64 = 0xffffffff
/** Zip64 and nothing else: 4.5 of the format. */
const VERSION = 45
/** The upper byte says Unix, so that the file's mode is read. */
const MADE_BY = (3 << 8) | VERSION
/** Digest and size follow the bytes (bit 3); names are UTF-8 (bit 11). */
const FLAGS = 0x0808
const DEFLATE = 8
const REGULAR_FILE = (0o100644 << 16) >>> 0

/** The header before an entry's bytes, whose digest and size are not known yet. */
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

/** The record behind an entry's bytes. Sizes have 8 bytes exactly where the local header has the Zip64 extension. */
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

/** An entry's record in the central directory. */
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
  for (const [place, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + place * 8)
  return extra
}

interface ZipDirectory {
  readonly entries: number
  readonly size: number
  readonly offset: number
}

/** What ends an archive: where its central directory is, in Zip64 too where the numbers need it. */
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

/** Date and time of day in UTC, in steps of two seconds, from 1980 to 2107. */
function dosTime(mtime: number): number {
  const at = new Date(Math.min(Math.max(mtime, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31, 23, 59, 58)))
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >>> 1)
  return ((date << 16) | time) >>> 0
}

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
