/**
 * Returns the one text of a JSON value: keys in the order of their UTF-16 units, no spaces, numbers as JavaScript writes them (RFC 8785).
 * Properties that are undefined are left out. The depth of the value must be bounded.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(",")}}`
}
