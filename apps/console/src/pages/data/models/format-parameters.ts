const UNITS = [
  ["T", 1e12],
  ["B", 1e9],
  ["M", 1e6],
  ["K", 1e3],
] as const

/** Formats a number of parameters as people say it: `7.62B`, `135M`. Null and undefined become `–`. */
export function formatParameters(count: number | null | undefined): string {
  if (count === null || count === undefined) return "–"
  const [name, size] = UNITS.find(([, size]) => count >= size) ?? ["", 1]
  return `${Number((count / size).toPrecision(3))}${name}`
}
