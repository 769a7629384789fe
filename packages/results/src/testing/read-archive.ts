import { crc32, inflateRawSync } from "node:zlib"

export interface ArchiveEntry {
  readonly path: string
  readonly bytes: Buffer
  readonly size: number
  readonly mtime: string
  readonly isZip64: boolean
}

/** Reads an archive like an unpacker: from its end to the directory, and from there to each entry. Checks every number. */
export function readArchive(archive: Buffer): readonly ArchiveEntry[] {
  const end = archive.lastIndexOf(Buffer.from("PK\u0005\u0006"))
  let entries = archive.readUInt16LE(end + 10)
  let offset = archive.readUInt32LE(end + 16)
  if (offset === 0xffffffff || entries === 0xffff) {
    const zip64 = Number(archive.readBigUInt64LE(end - 20 + 8))
    entries = Number(archive.readBigUInt64LE(zip64 + 32))
    offset = Number(archive.readBigUInt64LE(zip64 + 48))
  }
  return Array.from({ length: entries }, () => {
    const entry = readEntry(archive, offset)
    offset = entry.next
    return entry.found
  })
}

function readEntry(archive: Buffer, at: number): { readonly found: ArchiveEntry; readonly next: number } {
  const wide = readRecord(archive, at)
  const { local } = wide
  if (archive.toString("latin1", local, local + 4) !== "PK\u0003\u0004") throw new Error(`no entry at ${local}`)
  const isZip64 = archive.readUInt16LE(local + 28) === 20
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = inflateRawSync(archive.subarray(start, start + wide.stored))
  const crc = crc32(bytes)
  const descriptor = start + wide.stored
  const sizes = isZip64
    ? [archive.readBigUInt64LE(descriptor + 8), archive.readBigUInt64LE(descriptor + 16)].map(Number)
    : [archive.readUInt32LE(descriptor + 8), archive.readUInt32LE(descriptor + 12)]
  if (archive.readUInt32LE(descriptor + 4) !== crc || wide.crc !== crc) throw new Error(`wrong digest of ${wide.path}`)
  if (sizes.join() !== [wide.stored, bytes.length].join()) throw new Error(`two sizes of ${wide.path}`)
  return { found: { path: wide.path, bytes, size: wide.size, mtime: wide.mtime, isZip64 }, next: wide.next }
}

/** Reads a record of the central directory, with the numbers of its Zip64 extension if it has one. */
export function readRecord(archive: Buffer, at: number) {
  if (archive.toString("latin1", at, at + 4) !== "PK\u0001\u0002") throw new Error(`no record at ${at}`)
  const nameLength = archive.readUInt16LE(at + 28)
  const extraLength = archive.readUInt16LE(at + 30)
  let extra = at + 46 + nameLength + 4
  const wide = (field: number) => {
    if (archive.readUInt32LE(field) !== 0xffffffff) return archive.readUInt32LE(field)
    extra += 8
    return Number(archive.readBigUInt64LE(extra - 8))
  }
  const size = wide(at + 24)
  const stored = wide(at + 20)
  const local = wide(at + 42)
  const time = archive.readUInt16LE(at + 12)
  const date = archive.readUInt16LE(at + 14)
  const day = [1980 + (date >> 9), (date >> 5) & 15, date & 31].join("-")
  return {
    path: archive.toString("utf8", at + 46, at + 46 + nameLength),
    crc: archive.readUInt32LE(at + 16),
    size,
    stored,
    local,
    mtime: `${day} ${time >> 11}:${(time >> 5) & 63}:${(time & 31) * 2}`,
    next: at + 46 + nameLength + extraLength,
  }
}
