import { AssayError, cutMiddle, printable } from "@assay/schemas"

/** Indexes of a text of others, each time that it names one: as many as a run has shards. */
const MAX_READ = 100_000
/** Characters of a list that an error shows. */
const SHOWN = 80

/** Formats ascending indexes as a short text, such as `0-4,7,9-12`. */
export function formatIndexList(indexes: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const index of indexes) {
    const range = ranges.at(-1)
    if (range !== undefined && index === range[1] + 1) range[1] = index
    else ranges.push([index, index])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",")
}

/** Parses a list of indexes such as `0-4,7,9-12`, which must ascend. @throws `bad_usage` */
export function parseIndexList(text: string): readonly number[] {
  const indexes: number[] = []
  for (const part of text.split(",")) {
    const [, first = "", last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? []
    const isAscending = first !== "" && Number(first) <= Number(last) && Number(first) > (indexes.at(-1) ?? -1)
    if (!isAscending) throw badList(text)
    for (let index = Number(first); index <= Number(last); index++) indexes.push(index)
  }
  return indexes
}

/**
 * Reads indexes as engines print them, such as `0-4,7,9-15:3`, where 3 is a step. Leaves out what is not an index, and what follows the first 100,000: a
 * text of an engine can't make this process count for long.
 */
export function readIndexList(text: string): ReadonlySet<number> {
  const found = new Set<number>()
  let read = 0
  for (const part of text.split(",")) {
    const [, first, last = first, step = "1"] = /^(\d{1,9})(?:-(\d{1,9})(?::(\d{1,9}))?)?$/.exec(part) ?? []
    if (first === undefined) continue
    for (let index = Number(first); index <= Number(last) && read < MAX_READ; index += Math.max(1, Number(step))) {
      found.add(index)
      read++
    }
  }
  return found
}

function badList(text: string): AssayError {
  const shown = printable(cutMiddle(text, SHOWN))
  return new AssayError("bad_usage", `'${shown}' is not a list of indexes: give ascending ones, such as 0-4,7,9-12.`)
}
