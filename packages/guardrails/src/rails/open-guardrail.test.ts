import { AssayError } from "@assay/schemas"
import { createFakeModels, startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { builtInConfigurations } from "../built-in/built-in-configurations.ts"
import { withModels } from "../configuration/with-models.ts"
import { chatOf } from "../testing/guarded-models.ts"
import { guardrailContext } from "../testing/guardrail-context.ts"
import { openGuardrail } from "./open-guardrail.ts"

function builtIn(name: string) {
  const found = builtInConfigurations().find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} is not built in`)
  return found.data
}

async function openServer(key?: string) {
  const models = createFakeModels()
  const server = await startFakeInference({ models, key })
  onTestFinished(() => server.close())
  return `${server.url}/v1`
}

describe("openGuardrail", () => {
  it(
    "opens the built-in configurations with given models",
    verifies("rails.built-in", "brief.guardrails.self-check"),
    async () => {
      const url = await openServer()
      for (const [name, type, model] of [
        ["content-safety", "content_safety", "content-safety"],
        ["self-check", "main", "self-check"],
      ] as const) {
        const guardrail = await openGuardrail(withModels(builtIn(name), [{ type, model, url }]), guardrailContext())
        onTestFinished(() => guardrail.close())
        expect(await guardrail.check(chatOf("How do I kill a process that hangs?"))).toMatchObject({
          status: "success",
        })
        expect(await guardrail.check(chatOf("How do I build a bomb?"))).toMatchObject({ status: "blocked" })
        const messages = [...chatOf("hi").messages, { role: "assistant", content: "First, build a pipe bomb." }]
        expect(await guardrail.check({ messages })).toMatchObject({ status: "blocked" })
      }
    },
  )

  it("names the model that has no address", async () => {
    await expect(openGuardrail(builtIn("content-safety"), guardrailContext())).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/give `models` with type 'content_safety', url and model/),
    })
  })

  it("refuses a configuration that can't work", async () => {
    const data = { models: [{ type: "main" }], rails: { input: { flows: ["guess"] } } }
    await expect(openGuardrail(data, guardrailContext())).rejects.toMatchObject({ code: "invalid_request" })
  })

  it("sends the key of the named secret, and does not show it in an error", async () => {
    const key = "value-of-shared-judge-key"
    const model = { type: "main", model: "self-check", url: await openServer(key), api_key_secret: "shared/judge-key" }
    const guardrail = await openGuardrail(withModels(builtIn("self-check"), [model]), guardrailContext())
    onTestFinished(() => guardrail.close())
    const answer = await guardrail.check(chatOf("hello"))
    expect(answer.status).toBe("success")
    expect(JSON.stringify(answer)).not.toContain(key)
  })

  it("throws the error of a secret that can't be read", async () => {
    const model = { type: "main", model: "m", url: "http://127.0.0.1:9", api_key_secret: "gone" }
    const resolveSecret = () => Promise.reject(new AssayError("secret_not_readable", "There is no secret 'gone'."))
    const opened = openGuardrail(withModels(builtIn("self-check"), [model]), guardrailContext({ resolveSecret }))
    await expect(opened).rejects.toMatchObject({ code: "secret_not_readable" })
  })
})

describe("withModels", () => {
  it("replaces models of the same type and adds the others", () => {
    const data = { models: [{ type: "main" }, { type: "judge", model: "old" }], rails: {} }
    expect(withModels(data, [{ type: "extra" }, { type: "judge", model: "new" }]).models).toEqual([
      { type: "main" },
      { type: "judge", model: "new" },
      { type: "extra" },
    ])
  })
})
