/** A queue of work with several owners. The work of one owner keeps its order. The owners take turns. */
export interface FairQueue<T> {
  readonly add: (owner: string, item: T) => void
  /** Removes and returns the next item of an owner for which `mayRun` is true, or undefined if there is none. */
  readonly take: (mayRun: (owner: string) => boolean) => T | undefined
  readonly remove: (owner: string, item: T) => void
}

export function createFairQueue<T>(): FairQueue<T> {
  // A map keeps the order of its keys. The first key is the owner whose turn is next.
  const waiting = new Map<string, T[]>()
  return {
    add(owner, item) {
      const items = waiting.get(owner)
      if (items === undefined) waiting.set(owner, [item])
      else items.push(item)
    },
    take(mayRun) {
      for (const [owner, items] of waiting) {
        if (!mayRun(owner)) continue
        const item = items.shift()
        waiting.delete(owner)
        if (items.length > 0) waiting.set(owner, items)
        return item
      }
      return undefined
    },
    remove(owner, item) {
      const left = waiting.get(owner)?.filter((one) => one !== item) ?? []
      if (left.length === 0) waiting.delete(owner)
      else waiting.set(owner, left)
    },
  }
}
