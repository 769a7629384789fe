/** Work that waits, of several owners. Each owner's work keeps its order, and the owners take turns. */
export interface FairQueue<T> {
  readonly add: (owner: string, item: T) => void
  /** Takes out the next item of an owner that `mayRun` lets through; undefined if there is none. */
  readonly take: (mayRun: (owner: string) => boolean) => T | undefined
  readonly remove: (owner: string, item: T) => void
}

export function createFairQueue<T>(): FairQueue<T> {
  // A map keeps its keys in order: the owner whose turn is next comes first.
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
