/**
 * Paths in an order in which everything below a folder is contiguous, directly after a file of the folder's name. Folders
 * are found by binary search at any depth.
 */
export interface PathOrder<T> {
  readonly items: readonly T[]
  /** Returns where the items below `folder` begin and end. */
  below(folder: string): readonly [start: number, end: number]
  /** Returns the item of a file whose path is a folder of `path`. Requires paths of which none lies below another. */
  onTheWayTo(path: string): T | undefined
}

export function orderPaths<T>(items: Iterable<T>, pathOf: (item: T) => string): PathOrder<T> {
  const ordered = Array.from(items, (item) => ({ key: keyOf(pathOf(item)), item })).toSorted((a, b) =>
    compare(a.key, b.key),
  )
  /** Returns the first index whose key is not before `key`. */
  const positionOf = (key: string): number => {
    let low = 0
    let high = ordered.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(ordered[middle]?.key ?? "", key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    items: ordered.map(({ item }) => item),
    below(folder) {
      const key = keyOf(folder)
      return [positionOf(`${key}${LOWEST}`), positionOf(`${key}${AFTER_LOWEST}`)]
    },
    onTheWayTo(path) {
      const key = keyOf(path)
      const before = ordered[positionOf(key) - 1]
      return before !== undefined && key.startsWith(`${before.key}${LOWEST}`) ? before.item : undefined
    },
  }
}

/** No path contains this character, so nothing sorts between a folder and its contents. */
const LOWEST = "\0"
const AFTER_LOWEST = "\u0001"

function keyOf(path: string): string {
  return path.replaceAll("/", LOWEST)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
