/** Returns a text as it is, and any other value as JSON. Nothing is an empty text. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
