import { linesOf } from "./read-lines.ts"
import { createKeyReader, type RowKey } from "./row-key.ts"

/** Bytes of lines that are passed on together. */
const PIECE = 1024 * 1024
const LINE_END = Buffer.from("\n")

/**
 * Merges the lines of readers, each of which has rows of one task in order, into one in the order of rows and repeats. All lines of a row are in one
 * reader, and stay in its order. Memory: one piece of each reader, and a mebibyte.
 */
export async function* mergeLines(
  readers: readonly AsyncIterable<Uint8Array>[],
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const cursors = readers.map(openCursor)
  try {
    for (const cursor of cursors) await cursor.fill()
    const heap = createHeap(cursors.filter(({ line }) => line !== undefined))
    let ready: Buffer[] = []
    let size = 0
    for (let first = heap.first(); first?.line !== undefined; first = heap.first()) {
      ready.push(first.line, LINE_END)
      size += first.line.length + LINE_END.length
      if (!first.next()) await first.fill()
      heap.settle()
      if (size < PIECE) continue
      signal?.throwIfAborted()
      yield Buffer.concat(ready)
      ready = []
      size = 0
    }
    if (size > 0) yield Buffer.concat(ready)
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}

/** A reader, and the line of it that comes next. */
interface Cursor {
  /** Undefined: there is none. */
  readonly line: Buffer | undefined
  readonly key: RowKey
  /** Goes to the next line of the piece. Returns false after its last one. */
  next(): boolean
  /** Reads pieces until one has a line, and goes to its first one. */
  fill(): Promise<void>
  close(): Promise<void>
}

const NO_KEY: RowKey = { task: 0, row: Number.POSITIVE_INFINITY, repeat: 0, attempt: 0 }

function openCursor(reader: AsyncIterable<Uint8Array>): Cursor {
  const pieces = linesOf(reader)
  const readKey = createKeyReader(new Map())
  let lines: readonly { readonly text: Buffer }[] = []
  let at = 0
  let line: Buffer | undefined
  let key = NO_KEY
  /** Goes to the first line from `at` on that is a row. */
  const settle = (): boolean => {
    for (; at < lines.length; at++) {
      const { text } = lines[at] ?? { text: LINE_END }
      const found = readKey(text)
      if (found === undefined) continue
      line = text
      key = found
      return true
    }
    line = undefined
    key = NO_KEY
    return false
  }
  return {
    get line() {
      return line
    },
    get key() {
      return key
    },
    next() {
      at++
      return settle()
    },
    async fill() {
      do {
        const piece = await pieces.next()
        if (piece.done === true) return
        lines = piece.value
        at = 0
      } while (!settle())
    },
    close: async () => void (await pieces.return(undefined)),
  }
}

interface Heap {
  /** Returns the cursor whose line is the first one. */
  first(): Cursor | undefined
  /** Moves the first cursor to its position, after it went to another line. */
  settle(): void
}

function createHeap(cursors: Cursor[]): Heap {
  const isBefore = (a: Cursor, b: Cursor) => (a.key.row - b.key.row || a.key.repeat - b.key.repeat) < 0
  const heap = cursors.toSorted((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0))
  return {
    first: () => heap[0],
    settle() {
      const [moved] = heap
      if (moved === undefined) return
      let at = 0
      for (;;) {
        const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
        if (left === undefined) break
        const isRight = right !== undefined && isBefore(right, left)
        const child = isRight ? right : left
        if (!isBefore(child, moved)) break
        heap[at] = child
        at = 2 * at + (isRight ? 2 : 1)
      }
      heap[at] = moved
    },
  }
}
