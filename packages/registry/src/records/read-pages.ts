import { setImmediate as nextTurn } from "node:timers/promises"

/** Rows of a page by default. */
export const PAGE_ROWS = 500

/**
 * Reads all rows of a query, one page after the other. The embedded database runs on this thread, so other requests get
 * their turn between two pages.
 * @param read returns at most `limit` rows, in order, that come after the row `last`; the first rows if it is undefined
 */
export async function* readPages<Row>(
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
  limit = PAGE_ROWS,
): AsyncGenerator<readonly Row[], void, undefined> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last, limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    await nextTurn()
  }
}
