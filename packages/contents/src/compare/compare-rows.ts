import { cutMiddle, type DifferingRow } from "@assay/schemas"
import { canonicalText } from "../schemas/compile/ajv-keywords.ts"
import { compareByContent } from "./compare-by-content.ts"
import { compareByKey } from "./compare-by-key.ts"
import { visitReadable, type RowSide, type Unreadable } from "./compared-rows.ts"
import { collectDifferences, type IndexedDifference } from "./found-differences.ts"

export interface RowComparison {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly same: number
  readonly unreadable: Unreadable
  /** The first differences in the order of the rows. */
  readonly rows: readonly DifferingRow[]
}

export interface CompareOptions {
  /** The keys of the field that names a row. Undefined: rows are compared as wholes. */
  readonly key: readonly string[] | undefined
  /** Maximum number of differences that are listed. */
  readonly limit: number
  /** Number of rows of both sides. */
  readonly total: number
  /** Maximum number of rows in memory, by 52 bytes each. Default: 2,000,000. More are compared in parts, and read once for each. */
  readonly maxHeld?: number
}

const MAX_HELD = 2_000_000
/** Digests fall into parts by chance. */
const RESERVE = 1.2
/** Maximum number of characters of JSON of a value, whose middle is left out otherwise, and of all rows that are listed. */
const MAX_VALUE = 2000
const MAX_LISTED = 4_194_304

/** Compares the rows of two sides in bounded memory. @throws `bad_request` if the key does not name each row */
export async function compareRows(from: RowSide, to: RowSide, options: CompareOptions): Promise<RowComparison> {
  const { key, limit, total, maxHeld = MAX_HELD } = options
  const found = collectDifferences(limit)
  const parts = Math.max(1, Math.ceil(total / maxHeld))
  const compared = { from, to, parts, capacity: Math.ceil((total / parts) * RESERVE) + 1000, found }
  const unreadable = await (key === undefined ? compareByContent(compared) : compareByKey(compared, key))
  const first = found.first()
  const before = await readRows(from, new Set(first.flatMap((one) => one.from ?? [])))
  const after = await readRows(to, new Set(first.flatMap((one) => one.to ?? [])))
  return { ...found.counts, unreadable, rows: withinSize(first.map((one) => describe(one, before, after))) }
}

type Rows = ReadonlyMap<number | undefined, unknown>

/** Reads the rows with some indexes, up to the last of them. */
async function readRows(side: RowSide, wanted: ReadonlySet<number>): Promise<Rows> {
  const rows = new Map<number | undefined, unknown>()
  if (wanted.size === 0) return rows
  await visitReadable(side, (row, index) => {
    if (wanted.has(index)) rows.set(index, row)
    return rows.size === wanted.size
  })
  return rows
}

function describe({ change, from, to }: IndexedDifference, before: Rows, after: Rows): DifferingRow {
  const indexes = { change, from_index: from ?? null, to_index: to ?? null }
  if (change !== "changed") return { ...indexes, row: shortened(change === "added" ? after.get(to) : before.get(from)) }
  return { ...indexes, cells: cellsOf(before.get(from), after.get(to)) }
}

/** Returns the columns that differ. A row that is not an object is one value, whose column has no name. */
function cellsOf(before: unknown, after: unknown): NonNullable<DifferingRow["cells"]> {
  if (!isRecord(before) || !isRecord(after)) return [{ column: "", from: cut(before), to: cut(after) }]
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return columns.flatMap((column) => {
    const [from, to] = [valueOf(before, column), valueOf(after, column)]
    if (cellText(from) === cellText(to)) return []
    return [
      { column, ...(from === undefined ? {} : { from: cut(from) }), ...(to === undefined ? {} : { to: cut(to) }) },
    ]
  })
}

const cellText = (value: unknown) => (value === undefined ? "" : canonicalText(value))
const valueOf = (row: object, column: string): unknown =>
  Object.hasOwn(row, column) ? Reflect.get(row, column) : undefined

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Cuts the values of a row. */
function shortened(row: unknown): unknown {
  if (!isRecord(row)) return cut(row)
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cut(value)]))
}

function cut(value: unknown): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return text.length <= MAX_VALUE ? value : cutMiddle(text, MAX_VALUE)
}

function withinSize(rows: readonly DifferingRow[]): readonly DifferingRow[] {
  let left = MAX_LISTED
  return rows.filter((row) => (left -= JSON.stringify(row).length) >= 0)
}
