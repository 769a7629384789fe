/** `things`, unless there are none: a check that looks at nothing would pass for ever. @throws what was looked for */
export function lookedAt<T>(what: string, things: readonly T[]): readonly T[] {
  if (things.length === 0) throw new Error(`The check found no ${what} to look at: correct what it looks for.`)
  return things
}
