import { AssayError, type ChatMessage } from "@assay/schemas"
import type { RequestTemplate } from "./request-template.ts"

/** What a row asks by itself, under the first of `keys` that it has: messages, or a text of the user. */
export function rowRequest(keys: readonly string[]): RequestTemplate {
  return {
    templates: [],
    render({ item }) {
      const found = keys.find((key) => item[key] !== undefined && item[key] !== null)
      const asked = found === undefined ? undefined : item[found]
      if (typeof asked === "string") return { messages: [{ role: "user", content: asked }], parameters: {} }
      if (Array.isArray(asked) && asked.length > 0) return { messages: asked as readonly ChatMessage[], parameters: {} }
      const names = keys.map((key) => `'${key}'`).join(" or ")
      throw new AssayError(
        "rows_invalid",
        `The row has no text and no messages under ${names}; it has '${Object.keys(item).slice(0, 12).join("', '")}'.`,
      )
    },
  }
}
