import { createTrigramPositions } from "./trigram-positions.ts"

/** A fileset in a packed list of texts. */
export interface TextRow {
  /** Grows with each new fileset. */
  readonly seq: number
  readonly workspace: string
  /** Folded. Null: the fileset has no such text. */
  readonly text: string | null
  /** 1 if the text was not read, because it or the JSON around it is too long. */
  readonly is_long: number
  readonly created_at: number
}

export interface TextSearch {
  /** A part of a folded text, which `canBePart` accepts. */
  readonly part: string
  /** Undefined: all workspaces. */
  readonly workspace: string | undefined
  readonly direction: "asc" | "desc"
  readonly offset: number
  readonly size: number
}

export interface TextsFound {
  readonly total: number
  /**
   * The rows of the page, and those that have the same time as its first or last row. Only the database knows the order of
   * equal times.
   */
  readonly seqs: readonly number[]
  /** Number of `seqs` before the page. */
  readonly skipped: number
}

/** One text of each fileset, all as one text in the order of `seq`, which finds a part of them without reading rows. */
export interface PackedTexts {
  /** Returns the number of filesets, with those that have no such text. */
  count(): number
  /** Returns the `seq` of the last row. 0 if there is none. */
  lastSeq(): number
  /** Adds rows with larger `seq`. */
  add(rows: readonly TextRow[]): void
  /** Returns whether there are more filesets, more characters or longer texts than memory may hold. */
  isFull(): boolean
  find(search: TextSearch): TextsFound
}

const SEPARATOR = "\0"
/** A search that reads all of them reads up to a gigabyte a second, and all other requests wait for it. */
const MAX_CHARACTERS = 2_000_000
const MAX_ROWS = 131_072
/** A power of two. Few rows begin between two positions with this distance. */
const STEP = 16

/** Returns whether a search finds exactly what SQLite finds. SQLite has no halves of surrogate pairs, and no text contains U+0000. */
export function canBePart(part: string): boolean {
  return part !== "" && !part.includes(SEPARATOR) && part.isWellFormed()
}

export function createPackedTexts(): PackedTexts {
  let text = ""
  let isOrdered = true
  const starts: number[] = []
  /** The row at each position that is a multiple of `STEP`. */
  const rowsAtSteps: number[] = []
  const seqs: number[] = []
  const times: number[] = []
  const workspaces: number[] = []
  const numbers = new Map<string, number>()
  const trigrams = createTrigramPositions()
  let count = 0
  let lastSeq = 0
  let hasLong = false

  function numberOfWorkspace(workspace: string): number {
    const number = numbers.get(workspace) ?? numbers.size
    numbers.set(workspace, number)
    return number
  }

  const isFull = () => hasLong || text.length > MAX_CHARACTERS || seqs.length > MAX_ROWS

  /** Returns the row at a position of the text. */
  function rowAt(position: number): number {
    let row = rowsAtSteps[Math.floor(position / STEP)] ?? 0
    while ((starts[row + 1] ?? Infinity) <= position) row += 1
    return row
  }

  function isAt(part: string, position: number): boolean {
    for (let index = 0; index < part.length; index += 1)
      if (text.charCodeAt(position + index) !== part.charCodeAt(index)) return false
    return true
  }

  /** Returns the rows with a part at some of the `positions` of one of its trigrams, in the order of `seq`. */
  function rowsAtPositions(part: string, positions: Int32Array, offset: number): number[] {
    const found: number[] = []
    let end = 0
    for (let index = 0; index < positions.length; index += 1) {
      const position = positions[index] ?? 0
      // Up to `end`, the row was found by another position.
      if (position < end || !isAt(part, position - offset)) continue
      const row = rowAt(position)
      end = starts[row + 1] ?? Infinity
      found.push(row)
    }
    return found
  }

  /** Returns the rows with a part that is found by reading the whole text, in the order of `seq`. */
  function rowsOfText(part: string): number[] {
    const found: number[] = []
    for (let position = text.indexOf(part); position >= 0;) {
      const row = rowAt(position)
      found.push(row)
      position = row + 1 < starts.length ? text.indexOf(part, starts[row + 1]) : -1
    }
    return found
  }

  /** Returns the rows that match, in the order of `seq`. */
  function matches(part: string, workspace: number | undefined): number[] {
    const rarest = trigrams.rarestOf(part)
    // To compare each position may not take longer than to read the text, whatever its trigrams are.
    const isFast = rarest !== undefined && rarest.count * part.length <= text.length
    const found = isFast
      ? rowsAtPositions(part, trigrams.positionsOf(part, rarest.offset), rarest.offset)
      : rowsOfText(part)
    return workspace === undefined ? found : found.filter((row) => workspaces[row] === workspace)
  }

  return {
    count: () => count,
    lastSeq: () => lastSeq,
    isFull,
    add(rows) {
      let added = ""
      for (const { seq, created_at, workspace, text: one, is_long } of rows) {
        count += 1
        lastSeq = seq
        hasLong ||= is_long === 1
        if (one === null) continue
        isOrdered &&= created_at >= (times.at(-1) ?? 0)
        const start = text.length + added.length
        // Longer texts are not searched.
        if (start + one.length <= MAX_CHARACTERS) trigrams.add(one, start)
        starts.push(start)
        while (rowsAtSteps.length * STEP <= start + one.length) rowsAtSteps.push(starts.length - 1)
        seqs.push(seq)
        times.push(created_at)
        workspaces.push(numberOfWorkspace(workspace))
        added += one + SEPARATOR
      }
      text += added
    },
    find({ part, workspace, direction, offset, size }) {
      const found = matches(part, workspace === undefined ? undefined : (numbers.get(workspace) ?? -1))
      const timeOf = (position: number) => times[found[position] ?? -1]
      if (!isOrdered) found.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
      if (direction === "desc") found.reverse()
      let first = Math.min(offset, found.length)
      let end = Math.min(offset + size, found.length)
      if (first < end) {
        while (first > 0 && timeOf(first - 1) === timeOf(first)) first -= 1
        while (end < found.length && timeOf(end) === timeOf(end - 1)) end += 1
      }
      const page = found.slice(first, end).map((row) => seqs[row] ?? 0)
      return { total: found.length, seqs: page, skipped: Math.max(0, Math.min(offset, found.length) - first) }
    },
  }
}
