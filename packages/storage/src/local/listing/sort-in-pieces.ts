import { setImmediate } from "node:timers/promises"

/** Values that are sorted or merged before other work gets its turn: a few milliseconds for names. */
const PIECE = 4096

/** Sorts values, and lets other work of the process run after each piece. Equal values keep their order. */
export async function sortInPieces<T>(values: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  if (values.length <= PIECE) return values.toSorted(compare)
  let runs: (readonly T[])[] = []
  for (let start = 0; start < values.length; start += PIECE) {
    runs.push(values.slice(start, start + PIECE).toSorted(compare))
    await setImmediate()
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  if (b.length === 0) return a
  const merged: T[] = []
  const left = a.values()
  const right = b.values()
  let one = left.next()
  let two = right.next()
  while (one.done !== true || two.done !== true) {
    if (two.done === true || (one.done !== true && compare(one.value, two.value) <= 0)) {
      if (one.done !== true) merged.push(one.value)
      one = left.next()
    } else {
      merged.push(two.value)
      two = right.next()
    }
    if (merged.length % PIECE === 0) await setImmediate()
  }
  return merged
}
