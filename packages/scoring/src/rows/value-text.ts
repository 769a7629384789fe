/** Returns a value of a row as text: empty for null, JSON for lists and objects. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value
  return value === null || value === undefined ? "" : (JSON.stringify(value) ?? "")
}
