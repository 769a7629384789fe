import { indexLines, type LineIndex, orderOf, type RowsInOrderOptions } from "./line-index.ts"
import { linesOf, wholeLines } from "./read-lines.ts"
import type { RowsReader } from "./read-rows.ts"

/** Bytes of lines that are in memory at the same time. */
const WINDOW = 1024 * 1024
/** Bytes between two lines that are read as well, because that is faster than two reads. */
const GAP = 64 * 1024
const MAX_WAITING = 64 * 1024 * 1024

/**
 * Reads the lines of rows in the order of their tasks, rows and repeats, in pieces of whole lines. Rows are answered in another order, which
 * depends on the speed of each answer. The rows must not change meanwhile. Memory: about 70 bytes for each line, and a few MiB; 130 MiB for a
 * reader without `slice`.
 */
export async function* rowsInOrder(
  reader: Pick<RowsReader, "bytes" | "slice" | "isInOrder">,
  options: RowsInOrderOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { tasks, lines, signal, maxWaiting = MAX_WAITING } = options
  if (lines === "all" && reader.isInOrder?.(tasks) === true) {
    yield* wholeLines(reader.bytes(signal))
    return
  }
  const index = await indexLines(reader, options)
  if (index.isInOrder) {
    yield* wholeLines(reader.bytes(signal))
    return
  }
  const order = orderOf(index, options)
  const { slice } = reader
  if (slice === undefined) yield* inPasses(reader, { index, order, signal, maxWaiting })
  else yield* inWindows(slice, { index, order, signal })
}

interface Wanted {
  readonly index: LineIndex
  /** The numbers of the lines in the order in which they are read. */
  readonly order: Uint32Array
  readonly signal: AbortSignal | undefined
}

async function* inWindows(
  slice: NonNullable<RowsReader["slice"]>,
  { index, order, signal }: Wanted,
): AsyncGenerator<Buffer, void> {
  for (let first = 0; first < order.length;) {
    signal?.throwIfAborted()
    let size = 0
    let end = first
    while (end < order.length && (end === first || size < WINDOW)) size += index.lengths.at(order[end++] ?? 0)
    const lines = order.subarray(first, end)
    const wanted = lines.toSorted((a, b) => index.starts.at(a) - index.starts.at(b))
    const found = await pick(slice, index, wanted)
    yield Buffer.concat(Array.from(lines, (line) => found.get(line) ?? Buffer.alloc(0)))
    first = end
  }
}

/** Reads lines, which are in the order of their bytes, one span after the other. */
async function pick(
  slice: NonNullable<RowsReader["slice"]>,
  index: LineIndex,
  wanted: Uint32Array,
): Promise<ReadonlyMap<number, Buffer>> {
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

/**
 * Reads all lines, and keeps those whose turn has not come. Rows are answered almost in order, so one pass is usual. If too many lines wait,
 * the last ones are read again in another pass.
 */
async function* inPasses(
  { bytes }: Pick<RowsReader, "bytes">,
  { index, order, signal, maxWaiting }: Wanted & { readonly maxWaiting: number },
): AsyncGenerator<Buffer, void> {
  const places = placesOf(order, index.starts.length())
  for (let next = 0; next < order.length;) {
    const before = next
    const queue = createQueue(next, maxWaiting)
    let line = 0
    for await (const lines of linesOf(bytes(signal))) {
      for (const { start, text } of lines) {
        if (index.starts.at(line) !== start) continue
        queue.add(places[line++] ?? NOWHERE, text)
      }
      const ready = queue.take()
      if (ready.length > 0) yield Buffer.concat(ready)
      if (queue.isPassed()) break
    }
    next = queue.next()
    if (next === before) throw new TypeError("The rows changed while they were read.")
  }
}

/** The place of a line that is left out. */
const NOWHERE = 0xff_ff_ff_ff

/** Returns the place of each line in the order. */
function placesOf(order: Uint32Array, lines: number): Uint32Array {
  const places = new Uint32Array(lines).fill(NOWHERE)
  order.forEach((line, place) => (places[line] = place))
  return places
}

/** The lines of one pass, from the place `first` on. */
function createQueue(first: number, maxWaiting: number) {
  const waiting = new Map<number, Buffer>()
  let ready: Buffer[] = []
  let next = first
  let size = 0
  /** Lines from this place on are left for another pass. */
  let end = NOWHERE
  const leaveLast = (): void => {
    for (const place of [...waiting.keys()].toSorted((a, b) => b - a)) {
      if (size <= maxWaiting / 2) return
      size -= waiting.get(place)?.length ?? 0
      waiting.delete(place)
      end = place
    }
  }
  return {
    add(place: number, text: Buffer): void {
      if (place < next || place >= end) return
      // A copy: the piece that has the line is much larger.
      const line = Buffer.concat([text, LINE_END])
      waiting.set(place, line)
      size += line.length
      for (let found = waiting.get(next); found !== undefined; found = waiting.get(next)) {
        ready.push(found)
        size -= found.length
        waiting.delete(next++)
      }
      if (size > maxWaiting) leaveLast()
    },
    take(): readonly Buffer[] {
      const taken = ready
      ready = []
      return taken
    },
    next: () => next,
    /** Whether no later line belongs to this pass. */
    isPassed: () => next >= end,
  }
}

const LINE_END = Buffer.from("\n")
