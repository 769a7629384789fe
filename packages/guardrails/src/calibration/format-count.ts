/** `1 safe prompt`, `3 misses`. */
export function formatCount(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun}${noun.endsWith("s") ? "es" : "s"}`
}
