import { AssayError, type RowFilter, type RowSort } from "@assay/schemas"
import pLimit from "p-limit"
import type { IndexThread } from "../index-thread.ts"
import type { JournalSource } from "../journal-source.ts"
import type { ColumnFilter, RowConditions } from "../selection/match-rows.ts"
import type { WantedInRow } from "./row-finder.ts"
import { isAfter, isBefore } from "../table/journal-position.ts"
import type { SortedPart } from "./item-order.ts"
import type { SearchId } from "./text-searches.ts"

/** Conditions on rows as requests have them: texts are among the filters. */
export type TextConditions<T extends RowConditions> = Omit<T, "filters" | "texts"> & {
  readonly filters: readonly RowFilter[]
}

export interface SearchedRows {
  readonly source: JournalSource
  /** The folder of the index. */
  readonly folder: string
  /** Ends a search when its last caller has left. */
  readonly signal?: AbortSignal | undefined
}

/** Runs an operation over rows that contain texts, or that are sorted by their outputs or a field of their items, which only the journal has. */
export interface JournalSearch {
  /**
   * Reads the journal once for all texts, up to the end of the table. Then runs `operation`, and reads on if it returns undefined.
   * @throws the reason of `signal`; `unavailable` after 512 MiB of rows, from where the next request for the same texts continues
   */
  <T extends RowConditions, Found>(
    rows: SearchedRows,
    conditions: TextConditions<T>,
    operation: (conditions: T, search?: SearchId) => Promise<Found | undefined>,
  ): Promise<Found>
}

/** Searches that run at a time. They share one thread, so that more would only make other reads wait longer. */
const AT_ONCE = 2
/** Bytes of rows that one request searches: a few seconds of processor time. */
const MAX_BYTES = 512 * 1024 * 1024

export function createJournalSearch(thread: IndexThread, maxBytes = MAX_BYTES): JournalSearch {
  const inTurn = pLimit(AT_ONCE)

  /** Reads what the table has and the search has not. Returns the number of bytes. */
  async function readOn({ source, folder, signal }: SearchedRows, search: SearchId, room: number): Promise<number> {
    const end = await thread.call("position", folder)
    let bytes = 0
    for await (const piece of source.pieces(await thread.call("searched", search))) {
      signal?.throwIfAborted()
      if (isAfter(piece, end)) break
      if (bytes >= room) throw unfinished(maxBytes)
      await thread.call("search", search, piece)
      bytes += piece.bytes.byteLength
    }
    if (isBefore(await thread.call("searched", search), end))
      throw new Error(`The journal of ${folder} ends before its index.`)
    return bytes
  }

  return async <T extends RowConditions, Found>(
    rows: SearchedRows,
    { filters, ...conditions }: TextConditions<T>,
    operation: (conditions: T, search?: SearchId) => Promise<Found | undefined>,
  ) => {
    const texts = filters.flatMap((filter): readonly WantedInRow[] => {
      if (filter.field === "text") return [{ within: filter.within, part: filter.part.toLowerCase() }]
      return filter.field === "item" ? [filter] : []
    })
    const wanted = { ...conditions, filters: filters.filter(isColumnFilter) } as unknown as T
    const part = sortedPart(conditions)
    if (texts.length === 0 && part === undefined) return required(await operation(wanted))
    return inTurn(async () => {
      rows.signal?.throwIfAborted()
      const search = await thread.call("beginSearch", rows.folder, texts, part)
      try {
        for (let bytes = 0; ;) {
          bytes += await readOn(rows, search, maxBytes - bytes)
          const found = await operation(wanted, search)
          if (found !== undefined) return found
        }
      } finally {
        await thread.call("endSearch", search)
      }
    })
  }
}

/** Returns what rows are sorted by, if only the journal has it. */
function sortedPart(conditions: object): SortedPart | undefined {
  const sort = "sort" in conditions ? (conditions.sort as RowSort | undefined) : undefined
  if (sort?.by === "output") return sort.by
  return sort?.by === "item" ? `item:${sort.field}` : undefined
}

function isColumnFilter(filter: RowFilter): filter is ColumnFilter {
  return filter.field !== "text" && filter.field !== "item"
}

function required<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("An operation without texts found that rows were not searched.")
  return found
}

function unfinished(maxBytes: number): AssayError {
  const message = `The rows are too many to be searched or sorted by their texts in one request, which reads ${maxBytes} bytes of them; send the same request again, and the search continues.`
  return new AssayError("unavailable", message, { context: { searched_bytes: maxBytes } })
}
