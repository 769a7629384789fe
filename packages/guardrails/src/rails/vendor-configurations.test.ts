import type { GuardrailData } from "@assay/schemas"
import { type FakeInferenceOptions, startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import type { GuardrailContext } from "../guardrail.ts"
import { chatOf } from "../testing/guarded-models.ts"
import { guardrailContext } from "../testing/guardrail-context.ts"
import {
  contentSafety,
  quotedModels,
  reasoningJudge,
  selfChecks,
  topicControl,
} from "../testing/vendor-configurations.ts"
import { openGuardrail } from "./open-guardrail.ts"

type Models = NonNullable<FakeInferenceOptions["models"]>

async function open(
  models: Models,
  configure: (url: string) => GuardrailData,
  contextAt: (url: string) => Partial<GuardrailContext> = () => ({}),
) {
  const server = await startFakeInference({ models })
  const url = `${server.url}/v1`
  const guardrail = await openGuardrail(configure(url), guardrailContext(contextAt(url)))
  onTestFinished(async () => {
    await guardrail.close()
    await server.close()
  })
  const chats = () => server.requests.flatMap(({ chat }) => (chat === undefined ? [] : [chat]))
  return { guardrail, chats }
}

const locations = (warnings: readonly { readonly loc: readonly (string | number)[] }[]) =>
  warnings.map(({ loc }) => loc.slice(2).join("."))

/** A judge that answers `unsafe` to texts with the word "bomb", and `safe` to all others. */
const judge =
  (safe: string, unsafe: string): Models[string] =>
  ({ messages }) => ({
    content: JSON.stringify(messages).includes("bomb") ? unsafe : safe,
  })

describe("a configuration in the vendor's form", () => {
  it(
    "runs self-checks with its own prompts, stops and lowest temperature",
    verifies("rails.vendor-configurations"),
    async () => {
      const { guardrail, chats } = await open({ judge: judge("No", "Yes") }, selfChecks)
      expect((await guardrail.check(chatOf("Tulips?"))).status).toBe("success")
      expect((await guardrail.check(chatOf("A bomb?"))).status).toBe("blocked")
      expect(chats()[0]).toMatchObject({
        temperature: 0.1,
        stop: ["\n"],
        messages: [{ role: "user", content: expect.stringContaining('User message: "Tulips?"') }],
      })
      expect(chats()[0]).not.toHaveProperty("base_url")
      expect(locations(guardrail.warnings)).toEqual(["rails.dialog", "prompts.2"])
    },
  )

  it(
    "adds its instructions to a chat, unless it passes chats through",
    verifies("rails.vendor-configurations"),
    async () => {
      const models = { judge: judge("No", "Yes") }
      const { guardrail, chats } = await open(models, selfChecks)
      await guardrail.complete(chatOf("Tulips?"))
      expect(chats()[1]?.messages).toEqual([
        { role: "system", content: "You are a bot that talks about gardens.\n" },
        { role: "user", content: "Tulips?" },
      ])
      const own = { role: "system", content: "Be brief." }
      await guardrail.complete({ messages: [own, ...chatOf("Roses?").messages] })
      expect(chats()[4]?.messages[0]?.content).toBe("You are a bot that talks about gardens.\n\nBe brief.")
      const passed = await open(models, (url) => ({ ...selfChecks(url), passthrough: true }))
      await passed.guardrail.complete(chatOf("Tulips?"))
      expect(passed.chats()[1]?.messages).toEqual(chatOf("Tulips?").messages)
    },
  )

  it(
    "holds a streamed answer until all of it is judged if streaming is not enabled",
    verifies("rails.vendor-configurations"),
    async () => {
      const long = "a ".repeat(500)
      const { guardrail, chats } = await open(
        { judge: ({ messages }) => ({ content: JSON.stringify(messages).includes("blocked (Yes") ? "No" : long }) },
        selfChecks,
      )
      await Array.fromAsync(guardrail.stream({ ...chatOf("Tulips?"), stream: true }))
      expect(chats().filter(({ messages }) => JSON.stringify(messages).includes("Bot message"))).toHaveLength(1)
    },
  )

  it("asks guard models at base_url with model_name", verifies("rails.vendor-configurations"), async () => {
    const safe = '{"User Safety": "safe", "Response Safety": "safe"}'
    const { guardrail, chats } = await open(
      { judge: judge(safe, '{"User Safety": "unsafe", "Response Safety": "unsafe", "Safety Categories": "S3"}') },
      contentSafety,
    )
    expect((await guardrail.check(chatOf("Hello"))).status).toBe("success")
    expect((await guardrail.check(chatOf("A bomb"))).status).toBe("blocked")
    expect(chats()[0]).toMatchObject({ model: "judge", max_tokens: 50 })
    for (const key of ["base_url", "model_name"]) expect(chats()[0]).not.toHaveProperty(key)
    expect(locations(guardrail.warnings)).toEqual([
      "models.1.api_key_env_var",
      "models.1.cache",
      "models.2.type",
      "rails.output.streaming.stream_first",
    ])
  })

  it("accepts model names in quotes and prompts as messages", verifies("rails.vendor-configurations"), async () => {
    const { guardrail, chats } = await open(
      { judge: judge("No", "Yes"), llama: judge("safe", "unsafe\nS9") },
      quotedModels,
    )
    const blocked = await guardrail.check(chatOf("A bomb"))
    expect(blocked.status).toBe("blocked")
    expect((await guardrail.check(chatOf("Hello"))).rails_status).toEqual({
      'content safety check input $model="guard"': { status: "success" },
      "llama guard check input": { status: "success" },
    })
    const asked = chats().find(({ model }) => model === "judge")
    expect(asked?.messages.map(({ role }) => role)).toEqual(["system", "user"])
    expect(asked).not.toHaveProperty("api_key")
    expect(locations(guardrail.warnings)).toEqual(["models.0.parameters.max_retries"])
  })

  it(
    "sends topic control the policy as system message, followed by the conversation",
    verifies("rails.vendor-topic"),
    async () => {
      const { guardrail, chats } = await open({ judge: judge("on-topic", "off-topic") }, topicControl)
      const earlier = [
        { role: "user", content: "Do you sell bells?" },
        { role: "assistant", content: "Yes." },
      ]
      const checked = await guardrail.check({ messages: [...earlier, ...chatOf("And a bomb?").messages] })
      expect(checked.status).toBe("blocked")
      const [system, ...conversation] = chats()[0]?.messages ?? []
      expect(system).toMatchObject({
        role: "system",
        content: expect.stringMatching(/^You help.*politics\.\n\n.*on-topic/s),
      })
      expect(conversation).toEqual([...earlier, { role: "user", content: "And a bomb?" }])
      expect(guardrail.warnings).toEqual([])
    },
  )

  it(
    "lets a judge reason with enough tokens, and reads its verdict after custom tags",
    verifies("rails.vendor-configurations"),
    async () => {
      const think = "<thinks>A bomb in a film. Prompt harm: harmful? No.</thinks>\n"
      const { guardrail, chats } = await open(
        { judge: judge("Prompt harm: unharmful", `${think}Prompt harm: unharmful`) },
        reasoningJudge,
      )
      expect((await guardrail.check(chatOf("A bomb in a film"))).status).toBe("success")
      expect(chats()[0]).toMatchObject({
        max_tokens: 2048,
        messages: [{ content: expect.stringContaining("\n/think\n") }],
      })
    },
  )

  it(
    "asks the request's model, or the one of main, at the default address if there is none",
    verifies("rails.default-url"),
    async () => {
      const without = (): GuardrailData => ({ rails: { input: { flows: ["self check input"] } } })
      const named = (): GuardrailData => ({ ...without(), models: [{ type: "main", model: "judge" }] })
      const models = { judge: judge("No", "Yes") }
      const atDefault = (url: string) => ({ defaultUrl: url })
      const { guardrail } = await open(models, named, atDefault)
      expect((await guardrail.check(chatOf("A bomb"))).status).toBe("blocked")
      await expect(open(models, without, atDefault)).rejects.toThrow(/type 'main' has no name/)
      await expect(open(models, named)).rejects.toThrow(/type 'main' has no address/)
    },
  )

  it(
    "runs rails one after the other if parallel is false, until the first block",
    verifies("rails.vendor-configurations"),
    async () => {
      const inOrder =
        (parallel: boolean) =>
        (url: string): GuardrailData => ({
          models: ["first", "second"].map((name) => ({ type: name, model: name, url })),
          rails: { input: { parallel, flows: ["self check input $model=first", "self check input $model=second"] } },
        })
      const models = { first: judge("No", "Yes"), second: judge("No", "Yes") }
      const one = await open(models, inOrder(false))
      await one.guardrail.check(chatOf("A bomb"))
      expect(one.chats().map(({ model }) => model)).toEqual(["first"])
      await one.guardrail.check(chatOf("Hello"))
      expect(one.chats().map(({ model }) => model)).toEqual(["first", "first", "second"])
      const both = await open(models, inOrder(true))
      await both.guardrail.check(chatOf("Hello"))
      expect(both.chats()).toHaveLength(2)
    },
  )

  it("refuses with the vendor's text, or with its own message", verifies("rails.refusal"), async () => {
    const models = { judge: judge("No", "Yes") }
    const refusalOf = async (more: Partial<GuardrailData>) => {
      const { guardrail } = await open(models, (url) => ({ ...selfChecks(url), ...more }))
      const { body } = await guardrail.complete(chatOf("A bomb"))
      return (body["choices"] as { message: { content: string } }[])[0]?.message.content
    }
    expect(await refusalOf({})).toBe("I'm sorry, I can't respond to that.")
    const bot_messages = { "refuse to respond": ["Not here."] }
    expect(await refusalOf({ bot_messages })).toBe("Not here.")
    expect(await refusalOf({ bot_messages, refusal: "No." })).toBe("No.")
  })

  it(
    "runs only the rails that a request selects, and refuses names that it does not have",
    verifies("rails.selection"),
    async () => {
      const { guardrail, chats } = await open({ judge: judge("No", "Yes") }, selfChecks)
      const chat = { messages: [...chatOf("Hello").messages, { role: "assistant", content: "A bomb" }] }
      const statuses = async (rails: { input: boolean | string[]; output: boolean | string[] }) =>
        Object.keys((await guardrail.check(chat, { rails })).rails_status)
      expect(await statuses({ input: true, output: false })).toEqual(["self check input"])
      expect(await statuses({ input: [], output: ["self check output"] })).toEqual(["self check output"])
      expect(chats()).toHaveLength(2)
      await expect(statuses({ input: ["self chek input"], output: true })).rejects.toThrow(
        /'self chek input' is not one/,
      )
    },
  )
})
