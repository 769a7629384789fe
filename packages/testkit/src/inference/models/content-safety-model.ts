import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"
import { findHarm } from "./find-harm.ts"

/** A sensible judge: reads what the user means, and answers as content-safety models do. */
export const contentSafetyModel: FakeModel = (body) => {
  const { user, response } = askedText(body)
  return { content: contentSafetyAnswer(findHarm(user), response === undefined ? undefined : findHarm(response)) }
}

/** The verdict as JSON, with one for the response where there is one. */
export function contentSafetyAnswer(user: readonly string[], response?: readonly string[]): string {
  const categories = [...new Set([...user, ...(response ?? [])])]
  return JSON.stringify({
    "User Safety": user.length === 0 ? "safe" : "unsafe",
    ...(response !== undefined && { "Response Safety": response.length === 0 ? "safe" : "unsafe" }),
    ...(categories.length > 0 && { "Safety Categories": categories.join(", ") }),
  })
}
