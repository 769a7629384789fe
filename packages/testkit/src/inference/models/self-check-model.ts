import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"
import { findHarm } from "./find-harm.ts"

const JAILBREAK = /\b(ignore|forget|disregard)\b.{0,30}\b(instructions?|rules?|prompt)\b/i

/** Answers whether a message should be blocked: yes or no. */
export const selfCheckModel: FakeModel = (body) => {
  const { user, response } = askedText(body)
  const looked = response ?? user
  return { content: findHarm(looked).length > 0 || JAILBREAK.test(looked) ? "yes" : "no" }
}
