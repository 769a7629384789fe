import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"

/** Says again what it was told last. */
export const echoModel: FakeModel = (body) => ({ content: askedText(body).user })

/** A short answer, the same each time. */
export const chatModel: FakeModel = (body) => {
  const words = askedText(body).user.split(/\s+/).slice(0, 6).join(" ")
  return { content: `You asked: "${words}". Here is a short answer.` }
}
