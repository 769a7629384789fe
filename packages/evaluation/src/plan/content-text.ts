import { fieldsOf } from "./fields-of.ts"

/** The text of a message's content: text, or parts whose texts belong together. Null where there is none. */
export function contentText(content: unknown): string | null {
  if (!Array.isArray(content)) return typeof content === "string" ? content : null
  const parts = content.map((part) => fieldsOf(part)["text"]).filter((text) => typeof text === "string")
  return parts.length === 0 ? null : parts.join("")
}
