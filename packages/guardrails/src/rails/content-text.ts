import type { ChatMessage } from "@assay/schemas"

/**
 * Returns the text of a message's content. Parts are joined by line ends. A part without text, such as an image, becomes its type
 * in square brackets, so that a judge knows that there is content it can't see.
 */
export function contentText(content: ChatMessage["content"]): string {
  if (content === undefined || content === null) return ""
  if (typeof content === "string") return content
  return content
    .map((part) => (typeof part["text"] === "string" ? part["text"] : `[${String(part["type"])}]`))
    .join("\n")
}
