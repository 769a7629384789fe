/** A value of a row as text: nothing for null, JSON for lists and objects. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value
  return value === null || value === undefined ? "" : (JSON.stringify(value) ?? "")
}
