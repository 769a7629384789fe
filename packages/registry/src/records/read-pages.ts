import { setImmediate as nextTurn } from "node:timers/promises"

/** Records that are read at a time. */
export const CHUNK = 500

/**
 * All records that `read` finds, `CHUNK` at a time, each time after the key of the last one. The embedded database is read on this
 * thread: other requests get their turn in between.
 */
export async function* inParts<Row>(
  read: (after: string) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row, void, undefined> {
  let after = ""
  for (;;) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < CHUNK) return
    after = keyOf(last)
    await nextTurn()
  }
}
