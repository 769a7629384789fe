/** The size of a tar block, in bytes. */
const BLOCK = 512

interface TarEntry {
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
function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/** Parses the header in a block. Returns undefined for the block of zeros at the end of an archive. @throws if it is damaged */
function parseTarHeader(block: Uint8Array): TarHeader | undefined {
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
function parsePaxRecords(bytes: Buffer): ReadonlyMap<string, string> {
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

/** Maximum size of an extended header, in bytes. File paths are much shorter. */
const MAX_EXTENDED = 65_536

export interface ReadTarEntry extends TarEntry {
  /** Valid until the next entry is requested. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Reads the files of a tar archive as a stream, holding one piece in memory. Folders are skipped, because the paths of
 * files name them. All other entries, such as links and devices, are refused.
 * @throws if the archive is damaged, cut short, or has an entry that is neither a file nor a folder
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<ReadTarEntry, void, undefined> {
  const bytes = createByteReader(source)
  let extended: ReadonlyMap<string, string> = new Map()
  for (;;) {
    const header = parseTarHeader(await bytes.take(BLOCK))
    if (header === undefined) return
    const { type, size } = header
    if (type === "x" || type === "g" || type === "L") {
      if (size > MAX_EXTENDED) throw new Error("An extended header is too long.")
      const content = await bytes.take(size)
      await bytes.take(paddingOf(size))
      if (type === "x") extended = new Map([...extended, ...parsePaxRecords(content)])
      if (type === "L") extended = new Map([...extended, ["path", content.toString("utf8").replace(/\0.*$/s, "")]])
      continue
    }
    const entry = withExtended(header, extended)
    extended = new Map()
    if (type === "5") {
      if (entry.size !== 0) throw new Error(`The folder '${entry.path}' has bytes.`)
      continue
    }
    if (type !== "0" && type !== "7")
      throw new Error(`'${entry.path}' is a link or a device, which a backup can't contain.`)
    let left = entry.size
    const pieces = async function* () {
      while (left > 0) {
        const piece = await bytes.some(left)
        left -= piece.byteLength
        yield piece
      }
    }
    yield { ...entry, bytes: pieces() }
    // Skip the bytes that the caller did not read.
    while (left > 0) left -= (await bytes.some(left)).byteLength
    await bytes.take(paddingOf(entry.size))
  }
}

function withExtended(header: TarEntry, extended: ReadonlyMap<string, string>): TarEntry {
  const { path = header.path, size, mtime } = Object.fromEntries(extended)
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new Error(`'${path}' has the size '${size}'.`)
  const [, seconds, fraction = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(mtime ?? "") ?? []
  const mtimeNs =
    seconds === undefined
      ? header.mtimeNs
      : BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, "0"))
  return { path, mode: header.mode, size: size === undefined ? header.size : Number(size), mtimeNs }
}

interface ByteReader {
  /** Returns exactly `count` bytes. @throws if there are fewer */
  take(count: number): Promise<Buffer>
  /** Returns the next bytes, at least 1 and at most `limit`. @throws if there are none */
  some(limit: number): Promise<Uint8Array>
}

function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  async function some(limit: number): Promise<Uint8Array> {
    while (rest.byteLength === 0) {
      const step = await iterator.next()
      if (step.done === true) throw new Error("The archive is cut short.")
      rest = step.value
    }
    const piece = rest.subarray(0, limit)
    rest = rest.subarray(piece.byteLength)
    return piece
  }
  return {
    some,
    async take(count) {
      const parts: Uint8Array[] = []
      for (let left = count; left > 0;) {
        const piece = await some(left)
        parts.push(piece)
        left -= piece.byteLength
      }
      return Buffer.concat(parts)
    },
  }
}

export interface TarWriter {
  /** Adds a file. @throws if it has more or fewer bytes than `size` */
  add(entry: TarEntry, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>
  /** Writes the end of the archive. */
  end(): Promise<void>
}

/** Writes a tar archive piece by piece, and waits for each call of `write`. */
export function createTarWriter(write: (bytes: Uint8Array) => Promise<void>): TarWriter {
  return {
    async add(entry, bytes) {
      await write(formatTarHeader(entry))
      let written = 0
      for await (const piece of bytes) {
        written += piece.byteLength
        if (written > entry.size) break
        await write(piece)
      }
      if (written !== entry.size) throw new Error(`'${entry.path}' changed its size while it was read.`)
      const padding = paddingOf(entry.size)
      if (padding > 0) await write(new Uint8Array(padding))
    },
    end: () => write(new Uint8Array(2 * BLOCK)),
  }
}
