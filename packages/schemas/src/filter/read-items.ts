import type { FilterCursor } from "./filter-cursor.ts"

/** Items with commas between them, up to and with `close`. @throws `bad_filter` */
export function readItems<T>(cursor: FilterCursor, close: string, readItem: () => T): readonly T[] {
  const items: T[] = []
  if (cursor.take("symbol", close)) return items
  do items.push(readItem())
  while (cursor.take("symbol", ","))
  if (!cursor.take("symbol", close)) throw cursor.expected(`, or ${close}`)
  return items
}
