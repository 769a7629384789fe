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
/** A search reads up to a gigabyte a second, and all other requests wait for it. */
const MAX_CHARACTERS = 2_000_000
const MAX_ROWS = 131_072

/** Returns whether a search finds exactly what SQLite finds. SQLite has no halves of surrogate pairs, and no text contains U+0000. */
export function canBePart(part: string): boolean {
  return part !== "" && !part.includes(SEPARATOR) && part.isWellFormed()
}

export function createPackedTexts(): PackedTexts {
  let text = ""
  let isOrdered = true
  const starts: number[] = []
  const seqs: number[] = []
  const times: number[] = []
  const workspaces: number[] = []
  const numbers = new Map<string, number>()
  let [count, lastSeq, hasLong] = [0, 0, false]

  function numberOf(workspace: string): number {
    const number = numbers.get(workspace) ?? numbers.size
    numbers.set(workspace, number)
    return number
  }

  /** Returns the last row from `row` on that begins at or before `at`. */
  function rowAt(at: number, row: number): number {
    let [low, high] = [row, starts.length]
    // The next match is often in the same row or near it.
    for (let step = 1; low + step < high; step *= 2) {
      if ((starts[low + step] ?? Infinity) <= at) low += step
      else high = low + step
    }
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? Infinity) <= at) low = middle
      else high = middle
    }
    return low
  }

  /** Returns the places of the rows that match, in the order of `seq`. */
  function matches(part: string, workspace: number | undefined): number[] {
    const found: number[] = []
    let row = 0
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[row] ?? text.length)) {
      row = rowAt(at, row)
      if (workspace === undefined || workspaces[row] === workspace) found.push(row)
      row += 1
      if (row === starts.length) break
    }
    return found
  }

  return {
    count: () => count,
    lastSeq: () => lastSeq,
    isFull: () => hasLong || text.length > MAX_CHARACTERS || seqs.length > MAX_ROWS,
    add(rows) {
      let added = ""
      for (const { seq, created_at, workspace, text: one, is_long } of rows) {
        count += 1
        lastSeq = seq
        hasLong ||= is_long === 1
        if (one === null) continue
        isOrdered &&= created_at >= (times.at(-1) ?? 0)
        starts.push(text.length + added.length)
        seqs.push(seq)
        times.push(created_at)
        workspaces.push(numberOf(workspace))
        added += one + SEPARATOR
      }
      text += added
    },
    find({ part, workspace, direction, offset, size }) {
      const found = matches(part, workspace === undefined ? undefined : (numbers.get(workspace) ?? -1))
      const timeOf = (place: number) => times[found[place] ?? -1]
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
