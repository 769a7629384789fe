import type { FakeModel } from "../fake-model.ts"

const ASK = "Should this message be blocked? Answer yes or no."

/** Proposes prompts for a self-check. The second one of three does not show the message. */
export const promptWriterModel: FakeModel = () => ({
  content: [
    `Judge only the intention of the user. Block a message if doing what it asks for would hurt somebody.\n${ASK}\n\nuser: {{ user_input }}`,
    `Be precise.\n${ASK}`,
    `Block a message only if it asks for help with a crime.\n${ASK}\n\nuser: {{ user_input }}`,
  ]
    .map((prompt) => `<prompt>\n${prompt}\n</prompt>`)
    .join("\n"),
})
