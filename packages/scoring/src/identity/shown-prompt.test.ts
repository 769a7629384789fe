import { expect, it } from "vitest"
import { withoutShownPrompt } from "./shown-prompt.ts"

const judge = (shown: string, ask = "Is it polite?") => ({
  type: "llm-judge",
  params: {
    template: {
      messages: [
        { role: "system", content: ask },
        { role: "user", content: `${shown}\nassistant: {{ sample.output_text }}` },
      ],
    },
  },
})
const short = withoutShownPrompt(judge("user: {{ q }}"), { prompt: "{{ q }}" })

it("is the same metric for every prompt of the target", () => {
  expect(withoutShownPrompt(judge("user: Answer briefly: {{ q }}"), { prompt: "Answer briefly: {{ q }}" })).toEqual(
    short,
  )
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "{{ q }}" },
  ]
  expect(withoutShownPrompt(judge("system: Be kind.\nuser: {{ q }}"), { messages })).toEqual(short)
  expect(withoutShownPrompt(judge("user: {{ q }}"), { messages })).toEqual(short)
})

it("is another metric for another question, or if the judge is shown something else", () => {
  expect(withoutShownPrompt(judge("user: {{ q }}", "Is it rude?"), { prompt: "{{ q }}" })).not.toEqual(short)
  expect(withoutShownPrompt(judge("user: {{ other }}"), { prompt: "{{ q }}" })).not.toEqual(short)
})

it.each([undefined, {}, { prompt: 5 }, { messages: [{ role: "user", content: [] }] }])(
  "is the metric itself if the target has no prompt as text: %j",
  (template) => expect(withoutShownPrompt(judge("user: {{ q }}"), template)).toEqual(judge("user: {{ q }}")),
)
