/** A fileset in a packed list of names. */
export interface NamedRow {
  /** Grows with each new fileset. */
  readonly seq: number
  readonly workspace: string
  readonly name_folded: string
  readonly created_at: number
}

export interface NameSearch {
  /** A part of a folded name, which `canBePart` accepts. */
  readonly part: string
  /** Undefined: all workspaces. */
  readonly workspace: string | undefined
  readonly direction: "asc" | "desc"
  readonly offset: number
  readonly size: number
}

export interface NamesFound {
  readonly total: number
  /**
   * The rows of the page, and those that have the same time as its first or last row. Only the database knows the order of
   * equal times.
   */
  readonly seqs: readonly number[]
  /** Number of `seqs` before the page. */
  readonly skipped: number
}

/** The names of all filesets as one text, in the order of `seq`, which finds a part of them without reading rows. */
export interface PackedNames {
  count(): number
  /** Returns the `seq` of the last row. 0 if there is none. */
  lastSeq(): number
  /** Adds rows with larger `seq`. */
  add(rows: readonly NamedRow[]): void
  /** Returns whether there are more filesets or characters than memory may hold. */
  isFull(): boolean
  find(search: NameSearch): NamesFound
}

const SEPARATOR = "\0"
/** A search reads up to a gigabyte a second, and all other requests wait for it. */
const MAX_CHARACTERS = 2_000_000
const MAX_ROWS = 131_072

/** Returns whether a search finds exactly what SQLite finds. SQLite has no halves of surrogate pairs, and no name contains U+0000. */
export function canBePart(part: string): boolean {
  return part !== "" && !part.includes(SEPARATOR) && part.isWellFormed()
}

export function createPackedNames(): PackedNames {
  let text = ""
  let isOrdered = true
  const starts: number[] = []
  const seqs: number[] = []
  const times: number[] = []
  const workspaces: number[] = []
  const numbers = new Map<string, number>()

  function numberOf(workspace: string): number {
    const number = numbers.get(workspace) ?? numbers.size
    numbers.set(workspace, number)
    return number
  }

  /** Returns the places of the rows that match, in the order of `seq`. */
  function matches(part: string, workspace: number | undefined): number[] {
    const found: number[] = []
    let row = 0
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[row] ?? text.length)) {
      while ((starts[row + 1] ?? Infinity) <= at) row += 1
      if (workspace === undefined || workspaces[row] === workspace) found.push(row)
      row += 1
      if (row === starts.length) break
    }
    return found
  }

  return {
    count: () => seqs.length,
    lastSeq: () => seqs.at(-1) ?? 0,
    isFull: () => text.length > MAX_CHARACTERS || seqs.length > MAX_ROWS,
    add(rows) {
      let end = text.length
      for (const { seq, created_at, workspace, name_folded } of rows) {
        isOrdered &&= created_at >= (times.at(-1) ?? 0)
        starts.push(end)
        seqs.push(seq)
        times.push(created_at)
        workspaces.push(numberOf(workspace))
        end += name_folded.length + SEPARATOR.length
      }
      text += rows.map(({ name_folded }) => name_folded + SEPARATOR).join("")
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
