import { linesOf } from "./read-lines.ts"
import type { RowsReader } from "./read-rows.ts"
import { createKeyReader, type RowKey } from "./row-key.ts"

export interface RowsInOrderOptions {
  /** The tasks in their order. Rows of other tasks come after them, in the order in which these tasks appear. */
  readonly tasks: readonly string[]
  /** Whether rows of other tasks are left out. Default false. */
  readonly isOnly?: boolean | undefined
  /** Lines of a row that was asked again: `all` of them in the order in which they were written, or the last one of each of its `attempts`. */
  readonly lines: "all" | "attempts"
  /** Bytes of lines whose turn has not come, for a reader that can only be read from the beginning. Default 64 MiB. */
  readonly maxWaiting?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Where each line is, and which row it has. */
export interface LineIndex {
  readonly starts: NumberList
  readonly lengths: NumberList
  readonly tasks: NumberList
  readonly rows: NumberList
  readonly repeats: NumberList
  readonly attempts: NumberList
  /** Whether no line has to move or to be left out. */
  readonly isInOrder: boolean
}

/** Reads where the lines of rows are, and which row each has. Memory: at most about 70 bytes for each line. */
export async function indexLines(
  { bytes }: Pick<RowsReader, "bytes">,
  { tasks, isOnly = false, lines: kept, signal }: RowsInOrderOptions,
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
      const order = compareKeys(last, key)
      // Lines of one row stay where they are if all of them are read.
      isInOrder &&= order < 0 || (order === 0 && kept === "all")
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
export function orderOf(index: LineIndex, { lines }: RowsInOrderOptions): Uint32Array {
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
