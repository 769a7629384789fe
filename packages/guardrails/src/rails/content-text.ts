import type { ChatMessage } from "@assay/schemas"

/**
 * The text of a message's content. Parts are joined by line ends; one without text, such as an image, stands as its type in square
 * brackets, so that a judge sees that there is something that it can't see.
 */
export function contentText(content: ChatMessage["content"]): string {
  if (content === undefined || content === null) return ""
  if (typeof content === "string") return content
  return content
    .map((part) => (typeof part["text"] === "string" ? part["text"] : `[${String(part["type"])}]`))
    .join("\n")
}
