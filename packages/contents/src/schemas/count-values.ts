/** How many values are in `value`, itself included; at most `limit`, where it stops. */
export function countValues(value: unknown, limit: number): number {
  const waiting = [value]
  let count = 0
  while (waiting.length > 0 && count < limit) {
    const next = waiting.pop()
    count++
    if (typeof next !== "object" || next === null) continue
    for (const part of Object.values(next)) {
      waiting.push(part)
      if (waiting.length >= limit) return limit
    }
  }
  return count
}
