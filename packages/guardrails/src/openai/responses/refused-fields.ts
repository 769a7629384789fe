import type { Fields } from "../chat-form.ts"
import { isAskedFor, unsupported } from "../unsupported.ts"

const NOTHING_STORED = "nothing is stored here; send the whole conversation as `input`"

/** Fields that ask for what a guarded chat can't do, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  previous_response_id: NOTHING_STORED,
  conversation: NOTHING_STORED,
  background: "answers are sent at once; leave it out",
  prompt: "prompts are not stored here; send the text as `instructions` and `input`",
  context_management: "nothing is removed from a conversation; leave it out",
  moderation: "the rails of the configuration judge; leave it out",
  image: "the model answers with text; leave it out",
  n: "there is one answer; send one request for each",
  top_logprobs: "use chat/completions, which passes them on if no output rail judges",
}

/** Refuses the fields of a request that would change its meaning if they were ignored. @throws `invalid_request` */
export function checkFields(body: Fields): void {
  for (const [name, reason] of Object.entries(REFUSED)) {
    const value = body[name]
    if (isAskedFor(value) && !(name === "top_logprobs" && value === 0) && !(name === "n" && value === 1)) {
      throw unsupported([name], reason, value)
    }
  }
  const { truncation, include } = body
  if (truncation === "auto") throw unsupported(["truncation"], "shorten the conversation yourself", truncation)
  if (Array.isArray(include) && include.includes("message.output_text.logprobs")) {
    throw unsupported(["include"], "log-probabilities are not returned in this form; use chat/completions")
  }
}
