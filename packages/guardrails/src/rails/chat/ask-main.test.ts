import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { chatOf, openGuarded } from "../../testing/guarded-models.ts"

const answers = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  fault: { kind: "answer" as const, status, headers, body: { error: { message: "It is so." } } },
})

/** Has `main` answer so, and returns the error of a chat, the error of a stream, and the number of requests. */
async function failuresOf(said: ReturnType<typeof answers>) {
  const { guardrail, asked } = await openGuarded({ main: () => said }, { rails: {} })
  const thrown = (chat: Promise<unknown>) =>
    chat.then(
      () => undefined,
      (error: unknown) => error,
    )
  const whole = await thrown(guardrail.complete(chatOf("Hello")))
  const count = asked("main").length
  return { whole, streamed: await thrown(Array.fromAsync(guardrail.stream(chatOf("Hello")))), count }
}

describe("the model of a chat", () => {
  it.each([400, 401, 402, 403, 404, 413, 422])(
    "is asked once if it answers %i, which the caller gets",
    verifies("openai.errors"),
    async (status) => {
      const { whole, streamed, count } = await failuresOf(answers(status))
      expect([count, whole, streamed]).toMatchObject([
        1,
        { context: { answer_status: status } },
        { context: { answer_status: status } },
      ])
    },
  )

  it.each([405, 500, 503])("has a failure of ours if it answers %i", verifies("openai.errors"), async (status) => {
    expect((await failuresOf(answers(status))).whole).not.toHaveProperty("context.answer_status")
  })

  it("is asked twice after 429 and 500, unless it asks for a long wait", verifies("openai.retries"), async () => {
    expect(await failuresOf(answers(429))).toMatchObject({ count: 2, whole: { context: { answer_status: 429 } } })
    expect(await failuresOf(answers(500))).toMatchObject({ count: 2 })
    expect(await failuresOf(answers(429, { "retry-after": "1" }))).toMatchObject({ count: 2 })
    expect(await failuresOf(answers(429, { "retry-after": "3" }))).toMatchObject({ count: 1 })
  })

  it("has the status of an error inside a 200", verifies("openai.errors"), async () => {
    const fault = {
      kind: "answer" as const,
      status: 200,
      headers: {},
      body: { error: { message: "Not known", code: 404 } },
    }
    expect((await failuresOf({ fault })).whole).toMatchObject({ context: { answer_status: 404, status: 200 } })
  })
})
