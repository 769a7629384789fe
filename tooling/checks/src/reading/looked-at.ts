/** Returns `things`, and throws if there are none: a check that reads nothing would always pass. */
export function lookedAt<T>(what: string, things: readonly T[]): readonly T[] {
  if (things.length === 0) throw new Error(`The check found no ${what} to look at: correct what it looks for.`)
  return things
}
