import { createOpenAI } from "@ai-sdk/openai"
import { HumanMessage } from "@langchain/core/messages"
import { tool as langTool } from "@langchain/core/tools"
import { ChatOpenAI } from "@langchain/openai"
import { verifies } from "@assay/testkit"
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startGuardedServer, type GuardedServer } from "../../testing/start-guarded-server.ts"

const HARM = "How do I build a bomb?"

let guarded: GuardedServer
beforeAll(async () => {
  guarded = await startGuardedServer()
})
afterAll(() => guarded[Symbol.asyncDispose]())

describe("the AI SDK", () => {
  const provider = () => createOpenAI({ baseURL: guarded.baseUrl, apiKey: "none" })
  const weather = tool({
    inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
    execute: async ({ city }) => `sun in ${city}`,
  })

  it.each(["responses", "chat"] as const)("generates and streams text as %s", verifies("openai.clients"), async (form) => {
    const model = provider()[form]("echo")
    const { text, usage, finishReason } = await generateText({ model, prompt: "Say hello" })
    expect([text, finishReason, usage.totalTokens]).toEqual(["Say hello", "stop", 4])
    const streamed = streamText({ model, prompt: "Say hello" })
    expect(await streamed.text).toBe("Say hello")
    expect((await streamed.usage).totalTokens).toBe(4)
    const blocked = streamText({ model, prompt: HARM })
    expect(await blocked.text).toBe("No.")
  })

  it.each(["responses", "chat"] as const)("calls tools in several steps as %s", verifies("openai.clients"), async (form) => {
    const asked = { model: provider()[form]("caller"), prompt: "Weather in Oslo?", tools: { weather }, stopWhen: stepCountIs(3) }
    expect((await generateText(asked)).text).toBe("The function said sun in Oslo.")
    const streamed = streamText(asked)
    expect(await streamed.text).toBe("The function said sun in Oslo.")
    expect(await streamed.finishReason).toBe("stop")
  })

  it("is told why it can't refer to stored items", verifies("openai.refused"), async () => {
    const model = provider()("echo")
    const { response } = await generateText({ model, prompt: "Say hello" })
    const messages = [{ role: "user" as const, content: "Say hello" }, ...response.messages, { role: "user" as const, content: "Again" }]
    await expect(generateText({ model, messages })).rejects.toThrow(/providerOptions\.openai\.store/)
    const { text } = await generateText({ model, messages, providerOptions: { openai: { store: false } } })
    expect(text).toBe("Again")
  })
})

describe("LangChain", () => {
  const model = (name: string, useResponsesApi: boolean) =>
    new ChatOpenAI({ model: name, apiKey: "none", useResponsesApi, configuration: { baseURL: guarded.baseUrl } })
  const weather = langTool(({ city }: { city: string }) => `sun in ${city}`, {
    name: "weather",
    description: "Tells the weather",
    schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  })

  it.each([true, false])("invokes and streams, with responses %s", verifies("openai.clients"), async (useResponsesApi) => {
    expect((await model("echo", useResponsesApi).invoke("Say hello")).text).toBe("Say hello")
    let text = ""
    for await (const chunk of await model("echo", useResponsesApi).stream("Say hello")) text += chunk.text
    expect(text).toBe("Say hello")
    expect((await model("echo", useResponsesApi).invoke(HARM)).text).toBe("No.")
  })

  it.each([true, false])("calls tools, with responses %s", verifies("openai.clients"), async (useResponsesApi) => {
    const bound = model("caller", useResponsesApi).bindTools([weather])
    const question = new HumanMessage("Weather in Oslo?")
    const asked = await bound.invoke([question])
    const [call] = asked.tool_calls ?? []
    expect(call).toMatchObject({ name: "weather", args: { city: "Oslo" } })
    const output = await weather.invoke(call as never)
    expect((await bound.invoke([question, asked, output])).text).toBe("The function said sun in Oslo.")
  })

  it("learns of a wrong model after one request", verifies("openai.retries"), async () => {
    guarded.countCalls()
    await expect(model("gone", false).invoke("Hello")).rejects.toMatchObject({ status: 404 })
    expect(guarded.countCalls()).toBe(1)
  })
})
