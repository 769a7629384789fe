import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { chatOf, openGuarded } from "../../testing/guarded-models.ts"

const INPUT = "self check input $model=judge"
const OUTPUT = "self check output $model=judge"
const RAILS = { input: { flows: [INPUT] }, output: { flows: [OUTPUT] } }
const PROMPTS = [
  { task: "self_check_input", content: "{{ user_input }}" },
  { task: "self_check_output", content: "{{ bot_response }}" },
]
const DATA = { rails: RAILS, prompts: PROMPTS, refusal: "Not here." }
const MODELS = {
  main: () => ({ content: "It is a bad answer.", usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } }),
  judge: ({ messages }: { messages: readonly { content?: unknown }[] }) => ({
    content: String(messages[0]?.content).includes("bad") ? "yes" : "no",
  }),
}

describe("complete", () => {
  it(
    "runs input rails, the model and output rails, and returns the body of the model",
    verifies("rails.chat"),
    async () => {
      const main = () => ({ content: "A good answer." })
      const { guardrail, asked } = await openGuarded({ ...MODELS, main }, DATA)
      const { body, activatedRails, isBlocked } = await guardrail.complete({
        ...chatOf("hello"),
        model: "main",
        temperature: 1,
      })
      expect(isBlocked).toBe(false)
      expect(body).toMatchObject({ id: expect.stringMatching(/^chatcmpl-/), prompt_logprobs: null })
      expect(body["choices"]).toMatchObject([{ message: { content: "A good answer." }, finish_reason: "stop" }])
      expect(activatedRails.map(({ name, status }) => [name, status])).toEqual([
        [INPUT, "success"],
        [OUTPUT, "success"],
      ])
      expect(asked("main")).toMatchObject([{ model: "main", temperature: 1 }])
    },
  )

  it("does not ask the model if input rails block", verifies("rails.blocked-answer"), async () => {
    const { guardrail, asked } = await openGuarded(MODELS, DATA)
    const { body, isBlocked, activatedRails } = await guardrail.complete(chatOf("something bad"))
    expect(isBlocked).toBe(true)
    expect(body).toEqual({
      id: "chatcmpl-id-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "main",
      choices: [{ index: 0, message: { role: "assistant", content: "Not here." }, finish_reason: "content_filter" }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    })
    expect(activatedRails).toHaveLength(1)
    expect(asked("main")).toEqual([])
  })

  it("returns the refusal and the usage of the model if output rails block", async () => {
    const { guardrail } = await openGuarded(MODELS, DATA)
    const { body, isBlocked } = await guardrail.complete(chatOf("hello"))
    expect(isBlocked).toBe(true)
    expect(JSON.stringify(body)).not.toContain("bad answer")
    expect(body).toMatchObject({ model: "main", usage: { total_tokens: 8 } })
    expect(body["choices"]).toMatchObject([{ message: { content: "Not here." }, finish_reason: "content_filter" }])
  })

  it.each([OUTPUT, "tool safety check output $model=judge", "topic safety check output $model=judge"])(
    "shows the tool calls of an answer to '%s'",
    async (flow) => {
      const toolCalls = [{ id: "c1", type: "function", function: { name: "pay", arguments: '{"to": "me"}' } }]
      const judge = () => ({ content: "no verdict" })
      const models = { main: () => ({ toolCalls }), judge }
      const { guardrail, asked } = await openGuarded(models, { rails: { output: { flows: [flow] } } })
      const { activatedRails } = await guardrail.complete(chatOf("hello"))
      expect(activatedRails.map(({ name, status }) => [name, status])).toEqual([[flow, "blocked"]])
      expect(String(asked("judge")[0]?.messages.at(-1)?.content)).toMatch(/pay \{\\?"to\\?": \\?"me/)
    },
  )

  it("sends the parameters of the configuration, overridden by those of the chat", async () => {
    const model = { parameters: { top_p: 0.5, temperature: 0.2, response_format: null } }
    const { guardrail, asked } = await openGuarded({ main: () => ({ content: "hi" }) }, { rails: {} }, { model })
    await guardrail.complete({ ...chatOf("hello"), temperature: 1 })
    expect(asked("main")).toEqual([
      { model: "main", messages: [{ role: "user", content: "hello" }], stream: false, top_p: 0.5, temperature: 1 },
    ])
  })

  it("refuses to request several answers, of which the rails would see one", async () => {
    const { guardrail } = await openGuarded(MODELS, DATA)
    await expect(guardrail.complete({ ...chatOf("hello"), n: 2 })).rejects.toMatchObject({ code: "invalid_request" })
  })

  it("throws the error of the model", async () => {
    const main = () => ({ fault: { kind: "condition", condition: "forbidden" } }) as const
    const { guardrail } = await openGuarded({ ...MODELS, main }, DATA)
    await expect(guardrail.complete(chatOf("hello"))).rejects.toMatchObject({ code: "inference_unauthorized" })
  })
})
