import { fieldsOf } from "@assay/json"
import { invalidRequest, type ChatMessage } from "@assay/schemas"
import type { Fields } from "../chat-form.ts"
import { unsupported } from "../unsupported.ts"

type Location = readonly (string | number)[]

/**
 * Converts the content of a message: a text, or parts. One part of text becomes a text, which every model server accepts.
 * @throws `invalid_request` for a part that is not a text, or an image with an address
 */
export function messageContent(content: unknown, at: Location): NonNullable<ChatMessage["content"]> {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) {
    throw invalidRequest(["body", ...at], "must be a text or a list of parts", "string_type", content)
  }
  const parts = content.map((part, index) => partOf(fieldsOf(part), [...at, index]))
  const [only, ...others] = parts
  return only?.["type"] === "text" && others.length === 0 ? String(only["text"]) : parts
}

/** Returns the output of a function: a text, or parts of text, which are joined. @throws `invalid_request` for another part */
export function outputText(output: unknown, at: Location): string {
  const content = messageContent(output, at)
  if (typeof content === "string") return content
  const other = content.findIndex(({ type }) => type !== "text")
  if (other >= 0)
    throw unsupported([...at, other, "type"], "the output of a function is text", content[other]?.["type"])
  return content.map(({ text }) => String(text)).join("\n")
}

function partOf(part: Fields, at: Location): Record<string, unknown> {
  const { type } = part
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: requiredText(part, "text", at) }
    case "refusal":
      return { type: "text", text: requiredText(part, "refusal", at) }
    case "input_image": {
      const { image_url: url, detail } = part
      if (typeof url !== "string") throw unsupported(at, "files are not stored here; send the image as `image_url`")
      return { type: "image_url", image_url: { url, ...(typeof detail === "string" ? { detail } : {}) } }
    }
    default:
      throw unsupported([...at, "type"], "send parts of type input_text, output_text or input_image", type)
  }
}

/** Returns a text that a part must have. @throws `invalid_request` */
export function requiredText(part: Fields, name: string, at: Location): string {
  const value = part[name]
  if (typeof value === "string") return value
  throw invalidRequest(["body", ...at, name], "must be a text", "string_type", value)
}
