import { describe, expect, it } from "vitest"
import { openGuarded } from "../../testing/guarded-models.ts"

const RAILS = {
  input: { flows: ["self check input", "self check input $model=other"] },
  output: { flows: ["self check output"] },
}
const logprobs = {
  content: [
    {
      token: "yes",
      logprob: Math.log(0.9),
      top_logprobs: [
        { token: "yes", logprob: Math.log(0.9) },
        { token: "no", logprob: Math.log(0.1) },
      ],
    },
  ],
}

describe("checkPrompt", () => {
  it("runs every rail to its end, and returns failures as data", async () => {
    const other = () => ({ fault: { kind: "condition", condition: "forbidden" } }) as const
    const { guardrail } = await openGuarded({ main: () => ({ content: "yes" }), other }, { rails: RAILS })
    const { status, rails } = await guardrail.checkPrompt({ prompt: "hello" })
    expect(status).toBe("blocked")
    expect(rails).toMatchObject([
      { rail: { status: "blocked" }, answers: [{ raw: "yes", error: null, reading: { family: "self-check" } }] },
      {
        rail: { status: "unknown", policy: "on_error=error" },
        answers: [{ reading: null, error: { code: "inference_unauthorized" } }],
      },
    ])
  })

  it("judges a response with only the output rails", async () => {
    const { guardrail, asked } = await openGuarded(
      { main: () => ({ content: "no" }), other: () => ({}) },
      { rails: RAILS },
    )
    const { rails } = await guardrail.checkPrompt({ prompt: "hello", response: "good day" })
    expect(rails.map(({ rail }) => rail.name)).toEqual(["self check output"])
    expect(String(asked("main")[0]?.messages[0]?.content)).toContain("assistant: good day")
  })

  it("scores the verdict if log-probabilities are requested and returned", async () => {
    const models = { main: () => ({ content: "yes", logprobs }) }
    const { guardrail, asked } = await openGuarded(models, { rails: { input: { flows: ["self check input"] } } })
    const { rails } = await guardrail.checkPrompt({ prompt: "hello" }, { logprobs: true })
    expect(rails[0]?.rail.verdict?.score).toBeCloseTo(0.9)
    expect(asked("main")[0]).toMatchObject({ logprobs: true, top_logprobs: 5 })
    await guardrail.checkPrompt({ prompt: "hello" })
    expect(asked("main")[1]).not.toHaveProperty("logprobs")
  })

  it("refuses a text that no rail judges", async () => {
    const { guardrail } = await openGuarded({ main: () => ({ content: "no" }) }, { rails: {} })
    await expect(guardrail.checkPrompt({ prompt: "hello" })).rejects.toMatchObject({ code: "invalid_request" })
  })
})
