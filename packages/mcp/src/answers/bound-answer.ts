import { cutText } from "@assay/reports"
import { isExactNumber } from "@assay/json"
import { printableJson } from "@assay/schemas"

/** Characters of the items of one answer as JSON: about 8,000 tokens of a model. */
const MAX_ITEMS_CHARACTERS = 30_000
/** Characters of one item as JSON. */
const MAX_ITEM_CHARACTERS = 6000
/** Characters of one text within an item. */
const MAX_TEXT_CHARACTERS = 2000

export interface BoundItems<T> {
  readonly kept: readonly T[]
  /** The parts that were left out. Empty if everything is there. */
  readonly notes: readonly string[]
}

export interface BoundOptions<T> {
  /** One item in words, such as `row`. */
  readonly noun: string
  /** Says how to get what was left out, given the number of items that are kept. */
  readonly rest: (kept: number) => string
  /** Returns a short form of an item that is too large even with its texts cut. Absent: it is kept. */
  readonly shorten?: (item: T, text: string) => T
}

/** Keeps the items that fit into an answer, with long texts cut. At least one is kept. */
export function boundItems<T>(items: readonly T[], options: BoundOptions<T>): BoundItems<T> {
  const { noun, rest, shorten } = options
  const kept: T[] = []
  let room = MAX_ITEMS_CHARACTERS
  let cut = 0
  for (const item of items) {
    const bound = cutTexts(item) as T
    const text = printableJson(JSON.stringify(bound))
    const isLarge = text.length > MAX_ITEM_CHARACTERS
    const short = isLarge && shorten !== undefined ? shorten(bound, cutText(text, MAX_ITEM_CHARACTERS / 2)) : bound
    room -= printableJson(JSON.stringify(short)).length
    if (room < 0 && kept.length > 0) break
    if (short !== item && JSON.stringify(item) !== JSON.stringify(short)) cut += 1
    kept.push(short)
  }
  const notes = [
    ...(kept.length < items.length
      ? [`Only ${kept.length} of ${items.length} ${noun}s fit into this answer. ${rest(kept.length)}`]
      : []),
    ...(cut === 0 ? [] : [`Long texts are cut in ${cut} of these ${noun}s; an ellipsis shows where.`]),
  ]
  return { kept, notes }
}

/** Returns a copy of a value with every text cut. Exact numbers keep their text. */
export function cutTexts(value: unknown, limit = MAX_TEXT_CHARACTERS): unknown {
  if (typeof value === "string") return cutText(value, limit)
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, limit))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, limit)]))
}

/** Returns the notes of an answer as a field, or nothing if there are none. */
export function withNotes(...notes: readonly (string | readonly string[] | undefined)[]): {
  readonly notes?: string[]
} {
  const all = notes.flatMap((note) => note ?? [])
  return all.length === 0 ? {} : { notes: all }
}
