/** An object that tells which of its keys were asked for. */
export interface WatchedReads<T extends object> {
  readonly value: T
  /** Keys that were read or looked for so far, whether they are there or not. */
  readonly read: ReadonlySet<string>
}

/** Watches what is read of `value`. Reading all keys at once, as a spread does, counts as reading each. */
export function watchReads<T extends object>(value: T): WatchedReads<T> {
  const read = new Set<string>()
  const note = (key: string | symbol) => {
    if (typeof key === "string") read.add(key)
  }
  const watched = new Proxy(value, {
    get: (target, key) => {
      note(key)
      return Reflect.get(target, key) as unknown
    },
    has: (target, key) => {
      note(key)
      return Reflect.has(target, key)
    },
  })
  return { value: watched, read }
}
