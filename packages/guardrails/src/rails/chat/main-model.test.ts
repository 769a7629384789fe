import type { GuardrailModel } from "@assay/schemas"
import { startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { withModels } from "../../configuration/with-models.ts"
import { chatOf } from "../../testing/guarded-models.ts"
import { guardrailContext } from "../../testing/guardrail-context.ts"
import { openGuardrail } from "../open-guardrail.ts"

const JUDGE = "self check input $model=judge"
const DATA = {
  rails: { input: { flows: [JUDGE] } },
  prompts: [{ task: "self_check_input", content: "{{ user_input }}" }],
}

/** Opens a guardrail whose judge blocks "bad", over an endpoint with models `a` and `b`. Without `main` it has only the judge. */
async function open(main?: Partial<GuardrailModel>) {
  const say = (content: string) => () => ({ content })
  const judge = ({ messages }: { messages: readonly { content?: unknown }[] }) => ({
    content: String(messages[0]?.content).includes("bad") ? "yes" : "no",
  })
  const server = await startFakeInference({ models: { a: say("I am a."), b: say("I am b."), judge } })
  const url = `${server.url}/v1`
  const models = [
    { type: "judge", model: "judge", url },
    ...(main === undefined ? [] : [{ type: "main", url, ...main }]),
  ]
  const guardrail = await openGuardrail({ ...DATA, models }, guardrailContext())
  onTestFinished(async () => {
    await guardrail.close()
    await server.close()
  })
  return { guardrail, url }
}

describe("the model that a guarded chat asks", () => {
  it("is the one that the request names, at the endpoint of main", verifies("rails.chat-model"), async () => {
    const { guardrail } = await open({ model: "a" })
    for (const [model, text] of [
      ["a", "I am a."],
      ["b", "I am b."],
    ] as const) {
      const { body } = await guardrail.complete({ ...chatOf("hello"), model })
      expect(body).toMatchObject({ model, choices: [{ message: { content: text } }] })
      const chunks = await Array.fromAsync(guardrail.stream({ ...chatOf("hello"), model }))
      expect(new Set(chunks.map((chunk) => chunk["model"]))).toEqual(new Set([model]))
    }
  })

  it("is the one that main names if the request names none", verifies("rails.chat-model"), async () => {
    const { guardrail } = await open({ model: "a" })
    expect((await guardrail.complete(chatOf("hello"))).body).toMatchObject({ model: "a" })
  })

  it("needs a name in the request if the configuration has none", verifies("rails.chat-model"), async () => {
    const { guardrail } = await open({})
    expect((await guardrail.complete({ ...chatOf("hello"), model: "b" })).body).toMatchObject({ model: "b" })
    for (const model of [undefined, ""]) {
      const chat = model === undefined ? chatOf("hello") : { ...chatOf("hello"), model }
      await expect(guardrail.complete(chat)).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["body", "model"], type: "missing_model" }],
      })
    }
  })

  it("has no endpoint without main, and the error says so", verifies("rails.chat-model"), async () => {
    const { guardrail } = await open()
    expect((await guardrail.check(chatOf("hello"))).status).toBe("success")
    await expect(guardrail.complete({ ...chatOf("hello"), model: "a" })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(
        /endpoint of the model of type 'main', and there is none with a url; add .*guardrails\.models/,
      ),
    })
  })

  it("is also named in a refusal of the rails", verifies("rails.chat-model"), async () => {
    const { guardrail } = await open({ model: "a" })
    expect((await guardrail.complete({ ...chatOf("bad"), model: "b" })).body).toMatchObject({ model: "b" })
    const [chunk] = await Array.fromAsync(guardrail.stream({ ...chatOf("bad"), model: "b" }))
    expect(chunk).toMatchObject({ model: "b", choices: [{ finish_reason: "content_filter" }] })
  })

  it(
    "is named in the error if the endpoint does not have it, and no other model is asked",
    verifies("rails.chat-model"),
    async () => {
      const { guardrail } = await open({ model: "a" })
      await expect(guardrail.complete({ ...chatOf("hello"), model: "gone" })).rejects.toMatchObject({
        code: "model_not_found",
        message: expect.stringContaining("gone"),
      })
    },
  )
})

describe("a pinned model", () => {
  it(
    "answers requests for its own name or for no name, and any other name is refused before a rail runs",
    verifies("rails.pinned-model"),
    async () => {
      const { guardrail } = await open({ model: "a", pinned: true })
      for (const chat of [chatOf("hello"), { ...chatOf("hello"), model: "a" }]) {
        expect((await guardrail.complete(chat)).body).toMatchObject({ model: "a" })
      }
      const other = { ...chatOf("hello"), model: "b" }
      const refused = {
        code: "invalid_request",
        issues: [{ loc: ["body", "model"], type: "pinned_model", input: "b" }],
      }
      await expect(guardrail.complete(other)).rejects.toMatchObject(refused)
      await expect(Array.fromAsync(guardrail.stream(other))).rejects.toMatchObject(refused)
    },
  )

  it(
    "keeps its name if a request gives another endpoint, and refuses another name there",
    verifies("rails.pinned-model"),
    () => {
      const data = { models: [{ type: "main", model: "a", url: "http://one/v1", pinned: true }], rails: {} }
      expect(withModels(data, [{ type: "main", url: "http://two/v1" }]).models).toEqual([
        { type: "main", model: "a", url: "http://two/v1", pinned: true },
      ])
      expect(() => withModels(data, [{ type: "main", model: "b", url: "http://two/v1" }])).toThrow(/pins its model/)
    },
  )

  it.each([
    [{ type: "main", url: "http://one/v1", pinned: true }, "needs a name"],
    [{ type: "judge", model: "j", url: "http://one/v1", pinned: true }, "only the model of type 'main'"],
  ])("must be main and have a name: %j is refused", verifies("rails.pinned-model"), async (model, message) => {
    await expect(openGuardrail({ models: [model], rails: {} }, guardrailContext())).rejects.toThrow(message)
  })
})
