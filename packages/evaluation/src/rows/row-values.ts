import { isExactNumber } from "@assay/schemas"

/** The properties of a plain object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** The elements of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A value of a row as text: nothing for null, JSON for lists and objects. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value
  return value === null || value === undefined ? "" : (JSON.stringify(value) ?? "")
}

/** The text of a message's content: text, or parts whose texts belong together. Null where there is none. */
export function contentText(content: unknown): string | null {
  if (!Array.isArray(content)) return typeof content === "string" ? content : null
  const parts = content.map((part) => fieldsOf(part)["text"]).filter((text) => typeof text === "string")
  return parts.length === 0 ? null : parts.join("")
}
