import type { LocatedDocument } from "@assay/validation"
import { isLocalPath } from "@assay/schemas"
import { faultAt } from "../document-faults.ts"
import type { ShortPrompt } from "./short-evaluation.ts"

/** Returns whether a prompt is the path of a file, such as `./prompt.txt`. */
export function isPromptFile(prompt: unknown): prompt is string {
  return typeof prompt === "string" && isLocalPath(prompt) && !/[\n{]/.test(prompt)
}

/** Returns the template of the long form. @throws `bad_document` for an object that has no messages */
export function promptTemplate(document: LocatedDocument, prompt: ShortPrompt, pointer: string): unknown {
  if (typeof prompt === "string") return { prompt }
  if (Array.isArray(prompt)) return { messages: prompt }
  const { system, user, ...rest } = prompt
  if (system === undefined && user === undefined) {
    if (rest.messages !== undefined || rest.prompt !== undefined) return rest
    throw faultAt(document, pointer, "a prompt has `user`, and may have `system`; or it has `messages` or `prompt`.")
  }
  if (user === undefined || rest.messages !== undefined || rest.prompt !== undefined) {
    throw faultAt(
      document,
      pointer,
      "`system` needs `user` beside it, and neither can be beside `messages` or `prompt`.",
    )
  }
  const messages = [
    ...(system === undefined ? [] : [{ role: "system", content: system }]),
    { role: "user", content: user },
  ]
  return { messages, ...rest }
}
