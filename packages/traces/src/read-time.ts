/** Returns a time as milliseconds since 1970: nanoseconds, microseconds, milliseconds or seconds, or a text such as `2026-11-20T10:00:00Z`. */
export function readTime(value: unknown): number | undefined {
  if (Array.isArray(value) && value.length === 2) return readTime(numberOf(value[0]) * 1000 + numberOf(value[1]) / 1e6)
  if (typeof value === "string" && !/^\d+(?:\.\d+)?$/.test(value)) {
    // Langfuse exports times of UTC without a zone.
    const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value)
    const time = Date.parse(isZoned ? value : `${value.replace(" ", "T")}Z`)
    return Number.isNaN(time) ? undefined : time
  }
  const number = numberOf(value)
  if (!Number.isFinite(number) || number <= 0) return undefined
  if (number > 1e17) return number / 1e6
  if (number > 1e14) return number / 1e3
  return number > 1e11 ? number : number * 1000
}

/** Returns a number, or the number that a text spells. NaN for anything else: an object can have a `toString` that is not a function. */
export function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN
}
