import { isExactNumber } from "@assay/schemas"

/** Returns the properties of a plain object, and none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** Returns the elements of a list, and none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a value of a row as text: empty for null, JSON for lists and objects. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value
  return value === null || value === undefined ? "" : (JSON.stringify(value) ?? "")
}

/** Returns the text of a message's content, which is a text or a list of parts. Returns null if there is no text. */
export function contentText(content: unknown): string | null {
  if (!Array.isArray(content)) return typeof content === "string" ? content : null
  const parts = content.map((part) => fieldsOf(part)["text"]).filter((text) => typeof text === "string")
  return parts.length === 0 ? null : parts.join("")
}
