import type { RowsReader } from "./read-rows.ts"
import { createKeyReader, type RowKey } from "./row-key.ts"

export interface RowsInOrderOptions {
  /** The tasks in their order. Rows of other tasks come after them, in the order in which these tasks appear. */
  readonly tasks: readonly string[]
  /** Whether rows of other tasks are left out. Default false. */
  readonly isOnly?: boolean | undefined
  /** Lines of a row that was asked again: `all` of them in the order in which they were written, or the last one of each of its `attempts`. */
  readonly lines: "all" | "attempts"
  readonly signal?: AbortSignal | undefined
}

const NEWLINE = 10
/** Bytes of lines that are in memory at the same time. */
const WINDOW = 1024 * 1024
/** The same for a reader that has to begin from the start for each window. */
const LARGE_WINDOW = 64 * 1024 * 1024
/** Bytes between two lines that are read as well, because that is faster than two reads. */
const GAP = 64 * 1024

/**
 * Reads the lines of rows in the order of their tasks, rows and repeats, in pieces of whole lines. Rows are answered in another order, which
 * depends on the speed of each answer. The rows must not grow meanwhile. Memory: 26 bytes for each line, and a few MiB.
 */
export async function* rowsInOrder(
  reader: Pick<RowsReader, "bytes" | "slice">,
  options: RowsInOrderOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { signal } = options
  const index = await indexLines(reader, options)
  if (index.isInOrder) {
    yield* reader.bytes(signal)
    return
  }
  const order = orderOf(index, options)
  const { slice } = reader
  const largest = slice === undefined ? LARGE_WINDOW : WINDOW
  for (let first = 0; first < order.length;) {
    signal?.throwIfAborted()
    let size = 0
    let end = first
    while (end < order.length && (end === first || size < largest)) size += index.lengths.at(order[end++] ?? 0)
    const lines = order.subarray(first, end)
    const wanted = lines.toSorted((a, b) => index.starts.at(a) - index.starts.at(b))
    const found = slice === undefined ? await scan(reader, index, wanted, signal) : await pick(slice, index, wanted)
    yield Buffer.concat(Array.from(lines, (line) => found.get(line) ?? Buffer.alloc(0)))
    first = end
  }
}

/** Where each line is, and which row it has. */
interface LineIndex {
  readonly starts: NumberList
  readonly lengths: NumberList
  readonly tasks: NumberList
  readonly rows: NumberList
  readonly repeats: NumberList
  readonly attempts: NumberList
  /** Whether the lines are in order, and each row has one line. */
  readonly isInOrder: boolean
}

async function indexLines(
  { bytes }: Pick<RowsReader, "bytes">,
  { tasks, isOnly = false, signal }: RowsInOrderOptions,
): Promise<LineIndex> {
  const [starts, lengths] = [createNumberList(Float64Array), createNumberList(Uint32Array)]
  const [taskList, rows] = [createNumberList(Uint16Array), createNumberList(Uint32Array)]
  const [repeats, attempts] = [createNumberList(Uint32Array), createNumberList(Uint32Array)]
  const positions = new Map(tasks.map((task, at) => [task, at]))
  let isInOrder = true
  let last: RowKey = { task: -1, row: -1, repeat: -1, attempt: 0 }
  const readKey = createKeyReader(positions)
  for await (const lines of linesOf(bytes(signal))) {
    for (const { start, text } of lines) {
      const key = readKey(text)
      if (key === undefined || (isOnly && key.task >= tasks.length)) {
        isInOrder = false
        continue
      }
      isInOrder &&= compareKeys(last, key) < 0
      last = key
      starts.push(start)
      lengths.push(text.length + 1)
      taskList.push(key.task)
      rows.push(key.row)
      repeats.push(key.repeat)
      attempts.push(key.attempt)
    }
  }
  return { starts, lengths, tasks: taskList, rows, repeats, attempts, isInOrder }
}

function compareKeys(a: RowKey, b: RowKey): number {
  return a.task - b.task || a.row - b.row || a.repeat - b.repeat
}

/** Returns the numbers of the lines in the order of their rows. */
function orderOf(index: LineIndex, { lines }: RowsInOrderOptions): Uint32Array {
  const { starts, tasks, rows, repeats, attempts } = index
  const all = Uint32Array.from({ length: starts.length() }, (_, line) => line)
  const compareRows = (a: number, b: number) =>
    tasks.at(a) - tasks.at(b) || rows.at(a) - rows.at(b) || repeats.at(a) - repeats.at(b)
  if (lines === "all") return all.toSorted((a, b) => compareRows(a, b) || a - b)
  const compareAttempts = (a: number, b: number) => compareRows(a, b) || attempts.at(a) - attempts.at(b)
  all.sort((a, b) => compareAttempts(a, b) || a - b)
  let kept = 0
  for (const line of all) {
    const previous = all[kept - 1]
    // Two processes can have asked the row in the same attempt.
    if (previous !== undefined && compareAttempts(previous, line) === 0) all[kept - 1] = line
    else all[kept++] = line
  }
  return all.subarray(0, kept)
}

type Found = ReadonlyMap<number, Buffer>

/** Reads lines, which are in the order of their bytes, one span after the other. */
async function pick(slice: NonNullable<RowsReader["slice"]>, index: LineIndex, wanted: Uint32Array): Promise<Found> {
  const found = new Map<number, Buffer>()
  const endOf = (line: number) => index.starts.at(line) + index.lengths.at(line)
  for (let first = 0; first < wanted.length;) {
    let last = first
    const start = index.starts.at(wanted[first] ?? 0)
    while (last + 1 < wanted.length) {
      const next = wanted[last + 1] ?? 0
      if (index.starts.at(next) - endOf(wanted[last] ?? 0) > GAP || endOf(next) - start > 4 * WINDOW) break
      last++
    }
    const bytes = await slice(start, endOf(wanted[last] ?? 0))
    for (const line of wanted.subarray(first, last + 1)) {
      const at = index.starts.at(line) - start
      found.set(line, bytes.subarray(at, at + index.lengths.at(line)))
    }
    first = last + 1
  }
  return found
}

/** Finds lines, which are in the order of their bytes, in all that the reader has. */
async function scan(
  { bytes }: Pick<RowsReader, "bytes">,
  index: LineIndex,
  wanted: Uint32Array,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const found = new Map<number, Buffer>()
  let next = 0
  for await (const lines of linesOf(bytes(signal))) {
    for (const { start, text } of lines) {
      const line = wanted[next]
      if (line === undefined) return found
      if (index.starts.at(line) !== start) continue
      found.set(line, Buffer.concat([text, LINE_END]))
      next++
    }
  }
  return found
}

const LINE_END = Buffer.from("\n")

interface Line {
  readonly start: number
  /** Without its end. */
  readonly text: Buffer
}

/** Cuts bytes into whole lines, those of a piece together. Bytes after the last line end are left out. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[], void> {
  let rest: Buffer[] = []
  let start = 0
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const part = bytes.subarray(from, end)
      const text = rest.length === 0 ? part : Buffer.concat([...rest, part])
      rest = []
      lines.push({ start, text })
      start += text.length + 1
      from = end + 1
    }
    if (from < bytes.length) rest.push(bytes.subarray(from))
    yield lines
  }
}

/** Numbers in a typed array that grows. */
interface NumberList {
  push(value: number): void
  at(index: number): number
  length(): number
}

type NumberArray = Float64Array | Uint32Array | Uint16Array

function createNumberList(type: new (length: number) => NumberArray): NumberList {
  let values = new type(1024)
  let count = 0
  return {
    push(value) {
      if (count === values.length) {
        const larger = new type(count * 2)
        larger.set(values)
        values = larger
      }
      values[count++] = value
    },
    at: (index) => values[index] ?? 0,
    length: () => count,
  }
}
