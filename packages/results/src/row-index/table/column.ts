import { closeSync, constants, openSync, readSync, writeSync } from "node:fs"
import { crc32 } from "node:zlib"
import { systemCode } from "@assay/storage"

/** A list of numbers in a file, for one process. It can be made again at any time, so nothing waits for the disk. */
export interface Column {
  /** Returns the first `count` numbers, without a copy. The next `append` may replace them. */
  values(count: number): ColumnNumbers
  /** Adds numbers at the end. After an error the column can no longer be used. */
  append(numbers: ArrayLike<number>): void
  /** Returns the CRC-32 of all numbers. */
  checksum(): number
  /** Bytes in memory. */
  size(): number
  /** Drops the numbers in memory. */
  forget(): void
  close(): void
}

export type ColumnNumbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

const KINDS = { u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
export type ColumnKind = keyof typeof KINDS

/** The state of a column when its table was saved. The file can be longer: the rest was never saved. */
export interface KeptColumn {
  readonly count: number
  readonly checksum: number
}

const { O_CREAT, O_RDWR, O_TRUNC } = constants

/**
 * Opens a column with the numbers that it had, or without `kept` an empty one. Returns undefined if the file has other numbers: after a
 * power failure, parts of it can be missing or zero.
 */
export function openColumn(path: string, kind: ColumnKind, kept?: KeptColumn): Column | undefined {
  const file = openFile(path, kept !== undefined)
  if (file === undefined) return undefined
  try {
    if (kept === undefined || hasNumbers(file, KINDS[kind].BYTES_PER_ELEMENT, kept)) return column(file, kind, kept)
  } catch (error) {
    closeSync(file)
    throw error
  }
  closeSync(file)
  return undefined
}

function openFile(path: string, isKept: boolean): number | undefined {
  try {
    return openSync(path, isKept ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC, 0o600)
  } catch (error) {
    if (isKept && systemCode(error) === "ENOENT") return undefined
    throw error
  }
}

const CHUNK_BYTES = 1024 * 1024

function hasNumbers(file: number, width: number, { count, checksum }: KeptColumn): boolean {
  const end = count * width
  const chunk = Buffer.allocUnsafe(Math.min(end, CHUNK_BYTES))
  let found = 0
  for (let at = 0; at < end;) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, end - at), at)
    if (read === 0) return false
    found = crc32(chunk.subarray(0, read), found)
    at += read
  }
  return found === checksum
}

function column(file: number, kind: ColumnKind, kept: KeptColumn = { count: 0, checksum: 0 }): Column {
  const Numbers = KINDS[kind]
  const width = Numbers.BYTES_PER_ELEMENT
  let { count: length, checksum } = kept
  let numbers: ColumnNumbers | undefined

  function load(count: number): ColumnNumbers {
    const loaded = new Numbers(count)
    const bytes = new Uint8Array(loaded.buffer)
    for (let done = 0; done < bytes.length;) {
      const read = readSync(file, bytes, done, bytes.length - done, done)
      if (read === 0) throw new Error(`A column of the row index is shorter than ${count} numbers.`)
      done += read
    }
    return loaded
  }

  function hold(held: ColumnNumbers, written: ColumnNumbers): ColumnNumbers {
    const end = length + written.length
    let room = held
    if (end > held.length) {
      room = new Numbers(Math.max(end, Math.ceil(held.length * 1.5)))
      room.set(held)
    }
    room.set(written, length)
    return room
  }

  return {
    values(count) {
      numbers ??= load(count)
      return numbers.subarray(0, count)
    },
    append(given) {
      const written = Numbers.from(given)
      const bytes = new Uint8Array(written.buffer)
      for (let done = 0; done < bytes.length;) {
        done += writeSync(file, bytes, done, bytes.length - done, length * width + done)
      }
      if (numbers !== undefined) numbers = hold(numbers, written)
      checksum = crc32(bytes, checksum)
      length += written.length
    },
    checksum: () => checksum,
    size: () => numbers?.byteLength ?? 0,
    forget() {
      numbers = undefined
    },
    close: () => closeSync(file),
  }
}

/** Returns a column that the table must have. */
export function columnAt(columns: ReadonlyMap<string, Column>, name: string): Column {
  const column = columns.get(name)
  if (column === undefined) throw new Error(`The row index has no column '${name}'.`)
  return column
}
