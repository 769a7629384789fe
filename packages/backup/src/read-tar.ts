import { BLOCK, type TarEntry, paddingOf, parseTarHeader, parsePaxRecords } from "./tar.ts"

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
