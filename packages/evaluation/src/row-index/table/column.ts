import { closeSync, constants, openSync, readSync, writeSync } from "node:fs"

/** A list of numbers in a file, for one process. It can be made again at any time, so nothing waits for the disk. */
export interface Column {
  /** Returns the first `count` numbers, without a copy. The next `write` may replace them. */
  values(count: number): ColumnNumbers
  /** Writes numbers from position `at` on. Positions between are never skipped. */
  write(at: number, numbers: ArrayLike<number>): void
  /** Bytes in memory. */
  size(): number
  /** Drops the numbers in memory. */
  forget(): void
  close(): void
}

export type ColumnNumbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

const KINDS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
export type ColumnKind = keyof typeof KINDS

const { O_CREAT, O_RDWR, O_TRUNC } = constants

/** Opens a column. @param isNew whether to begin with an empty file */
export function openColumn(path: string, kind: ColumnKind, isNew: boolean): Column {
  const Numbers = KINDS[kind]
  const width = Numbers.BYTES_PER_ELEMENT
  const file = openSync(path, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0o600)
  let numbers: ColumnNumbers | undefined

  function load(count: number): ColumnNumbers {
    const loaded = new Numbers(count)
    const bytes = new Uint8Array(loaded.buffer)
    for (let done = 0; done < bytes.length;) {
      const read = readSync(file, bytes, done, bytes.length - done, done)
      if (read === 0) throw new Error(`The column ${path} is shorter than ${count} numbers.`)
      done += read
    }
    return loaded
  }

  function hold(held: ColumnNumbers, at: number, written: ColumnNumbers): ColumnNumbers {
    const end = at + written.length
    let room = held
    if (end > held.length) {
      room = new Numbers(Math.max(end, Math.ceil(held.length * 1.5)))
      room.set(held)
    }
    room.set(written, at)
    return room
  }

  return {
    values(count) {
      numbers ??= load(count)
      return numbers.subarray(0, count)
    },
    write(at, given) {
      const written = Numbers.from(given)
      const bytes = new Uint8Array(written.buffer)
      for (let done = 0; done < bytes.length;) {
        done += writeSync(file, bytes, done, bytes.length - done, at * width + done)
      }
      if (numbers !== undefined) numbers = hold(numbers, at, written)
    },
    size: () => numbers?.byteLength ?? 0,
    forget() {
      numbers = undefined
    },
    close: () => closeSync(file),
  }
}
