/** The size of a tar block, in bytes. */
export const BLOCK = 512

export interface TarEntry {
  readonly path: string
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly mtimeNs: bigint
  /** The permission bits. */
  readonly mode: number
}

/** The header in a block (POSIX.1-2017, pax, "ustar Interchange Format"). */
interface TarHeader extends TarEntry {
  /** `0` is a file, `5` a folder, `x` and `g` are extended headers, `L` is a long name of GNU tar. Others are links and devices. */
  readonly type: string
}

const NAME_BYTES = 100
/** The maximum of eleven octal digits. */
const MAX_OCTAL = 8 ** 11 - 1

/** Formats the blocks before the bytes of a file: an extended header with the exact path, size and time, then the plain header. */
export function formatTarHeader(entry: TarEntry): Uint8Array {
  const seconds = entry.mtimeNs / 1_000_000_000n
  const nanoseconds = String(entry.mtimeNs % 1_000_000_000n).padStart(9, "0")
  const records = [
    paxRecord("path", entry.path),
    paxRecord("mtime", `${seconds}.${nanoseconds}`),
    ...(entry.size > MAX_OCTAL ? [paxRecord("size", String(entry.size))] : []),
  ]
  const extended = Buffer.concat(records)
  const base = { mode: entry.mode, mtime: seconds }
  return Buffer.concat([
    headerBlock({ ...base, name: "././@PaxHeader", size: extended.length, type: "x" }),
    extended,
    Buffer.alloc(paddingOf(extended.length)),
    headerBlock({ ...base, name: shortName(entry.path), size: Math.min(entry.size, MAX_OCTAL), type: "0" }),
  ])
}

/** Returns the number of bytes that fill the last block of an entry. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/** Parses the header in a block. Returns undefined for the block of zeros at the end of an archive. @throws if it is damaged */
export function parseTarHeader(block: Uint8Array): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  const text = (start: number, length: number) => {
    const field = Buffer.from(block.subarray(start, start + length))
    const end = field.indexOf(0)
    return field.toString("utf8", 0, end < 0 ? length : end)
  }
  const octal = (start: number, length: number) => {
    const digits = text(start, length).trim()
    if (!/^[0-7]*$/.test(digits)) throw new Error("A number in a header is invalid.")
    return digits === "" ? 0 : Number.parseInt(digits, 8)
  }
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (octal(148, 8) !== sum) throw new Error("The checksum of a header is wrong.")
  const prefix = text(257, 5) === "ustar" ? text(345, 155) : ""
  const name = text(0, NAME_BYTES)
  return {
    path: prefix === "" ? name : `${prefix}/${name}`,
    size: octal(124, 12),
    mtimeNs: BigInt(octal(136, 12)) * 1_000_000_000n,
    mode: octal(100, 8) & 0o777,
    type: text(156, 1) === "" ? "0" : text(156, 1),
  }
}

/** Parses the records of an extended header. @throws if it is damaged */
export function parsePaxRecords(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString("latin1", at, space < 0 ? at : space))
    const end = at + length
    if (!Number.isInteger(length) || space < 0 || end <= space || end > bytes.length || bytes[end - 1] !== 0x0a) {
      throw new Error("An extended header is damaged.")
    }
    const record = bytes.toString("utf8", space + 1, end - 1)
    const equals = record.indexOf("=")
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at = end
  }
  return records
}

/** Formats `<length> <key>=<value>\n`. The length includes its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length + String(rest.length).length
  length = rest.length + String(length).length
  return Buffer.concat([Buffer.from(String(length)), rest])
}

interface BlockFields {
  readonly name: string
  readonly mode: number
  readonly size: number
  readonly mtime: bigint
  readonly type: string
}

function headerBlock({ name, mode, size, mtime, type }: BlockFields): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, start: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, start, "latin1")
  block.write(name, 0, NAME_BYTES, "utf8")
  octal(mode & 0o777, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(Math.max(0, Math.min(Number(mtime), MAX_OCTAL)), 136, 12)
  block.fill(0x20, 148, 156)
  block.write(type, 156, "latin1")
  block.write("ustar\x0000", 257, "latin1")
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return block
}

/** Returns the end of the path, cut at a character, for programs that do not read extended headers. */
function shortName(path: string): string {
  let name = path
  while (Buffer.byteLength(name) >= NAME_BYTES) name = name.slice(1)
  return name.toWellFormed()
}
