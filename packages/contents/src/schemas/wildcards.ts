/** One item of a pattern: what an item must be, or null for any number of items. */
export type Wildcard<T> = ((item: T) => boolean) | null

/** Whether `items` are what `pattern` describes. At most the product of both lengths in steps. */
export function matchesWildcards<T>(pattern: readonly Wildcard<T>[], items: readonly T[]): boolean {
  let at = 0
  let next = 0
  let star = -1
  let starAt = 0
  while (at < items.length) {
    const wanted = pattern[next]
    const item = items[at] as T
    if (wanted === null) {
      star = next++
      starAt = at
    } else if (wanted?.(item) === true) {
      next++
      at++
    } else if (star !== -1) {
      // The last star takes one more.
      next = star + 1
      at = ++starAt
    } else {
      return false
    }
  }
  return pattern.slice(next).every((wanted) => wanted === null)
}
