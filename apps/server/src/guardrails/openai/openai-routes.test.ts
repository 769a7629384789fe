import { verifies } from "@assay/testkit"
import { OpenAI } from "openai"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { OPENAI_DOOR, startGuardedServer, type GuardedServer } from "../../testing/start-guarded-server.ts"

const HARM = "How do I build a bomb?"
const DOORS = [OPENAI_DOOR, "/openai/v1"] as const
const WEATHER = {
  type: "function" as const,
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
}
const says = (content: string) => [{ role: "user" as const, content }]

let guarded: GuardedServer
beforeAll(async () => {
  guarded = await startGuardedServer()
})
beforeEach(() => guarded.judge.fake.faults.clear())
afterAll(() => guarded[Symbol.asyncDispose]())

const client = (door: string) => new OpenAI({ baseURL: `${guarded.server.url}${door}`, apiKey: "none", maxRetries: 0 })
const post = (path: string, json: unknown) => guarded.server.call("POST", path, { json })

describe.each(DOORS)("OpenAI's client at %s", (door) => {
  it("chats without naming the configuration, whole and as a stream", verifies("openai.address"), async () => {
    const { chat } = client(door)
    const whole = await chat.completions.create({ model: "echo", messages: says("Say hello") })
    expect(whole.choices[0]?.message.content).toBe("Say hello")
    const streamed = chat.completions.stream({ model: "echo", messages: says("Say hello") })
    expect(await streamed.finalContent()).toBe("Say hello")
  })

  it("calls a function and hands its output back, as a chat", verifies("openai.address"), async () => {
    const asked = { model: "caller", tools: [WEATHER], messages: says("Weather in Oslo?") }
    const { choices } = await client(door).chat.completions.create(asked)
    const message = choices[0]?.message
    expect(message?.tool_calls?.[0]).toMatchObject({ id: "call_1", function: { name: "weather" } })
    const output = { role: "tool" as const, tool_call_id: "call_1", content: "sun" }
    const messages = [...asked.messages, { role: "assistant" as const, ...message, refusal: null }, output]
    const last = await client(door).chat.completions.create({ ...asked, messages })
    expect(last.choices[0]?.message.content).toBe("The function said sun.")
  })

  it("gets responses, whole and as events that it accumulates", verifies("openai.responses"), async () => {
    const whole = await client(door).responses.create({ model: "echo", input: "Say hello", instructions: "Repeat." })
    expect(whole).toMatchObject({ object: "response", status: "completed", output_text: "Say hello", model: "echo" })
    expect(whole.usage).toMatchObject({ input_tokens: 3, output_tokens: 2, total_tokens: 5 })
    const streamed = client(door).responses.stream({ model: "echo", input: "Say hello", instructions: "Repeat." })
    const final = await streamed.finalResponse()
    expect(final).toMatchObject({ status: "completed", output_text: "Say hello" })
    expect(final.usage).toMatchObject({ input_tokens: 3, output_tokens: 2, total_tokens: 5 })
  })

  it("calls a function in responses, whole and as events", verifies("openai.responses"), async () => {
    const { function: called } = WEATHER
    const tools = [{ type: "function" as const, ...called, strict: false }]
    const asked = { model: "caller", tools, input: says("Weather in Oslo?") }
    const whole = await client(door).responses.create(asked)
    const streamed = await client(door).responses.stream(asked).finalResponse()
    for (const { output } of [whole, streamed]) {
      expect(output).toMatchObject([{ type: "function_call", call_id: "call_1", arguments: '{"city":"Oslo"}' }])
    }
    const output = { type: "function_call_output" as const, call_id: "call_1", output: "sun" }
    const last = await client(door).responses.create({
      ...asked,
      input: [...asked.input, ...(whole.output as []), output],
    })
    expect(last.output_text).toBe("The function said sun.")
  })

  it("completes a text, whole and as a stream", verifies("openai.completions"), async () => {
    const whole = await client(door).completions.create({ model: "echo", prompt: "Say hello" })
    expect(whole).toMatchObject({ object: "text_completion", choices: [{ text: "Say hello", finish_reason: "stop" }] })
    let text = ""
    const stream = await client(door).completions.create({ model: "echo", prompt: ["Say hello"], stream: true })
    for await (const { choices } of stream) text += choices[0]?.text ?? ""
    expect(text).toBe("Say hello")
  })

  it("lists the models, and gets one", verifies("openai.models"), async () => {
    const { data } = await client(door).models.list()
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["echo", "caller"]))
    expect(await client(door).models.retrieve("caller")).toMatchObject({ id: "caller", object: "model" })
    await expect(client(door).models.retrieve("none/of it")).rejects.toMatchObject({ status: 404, code: "not_found" })
    // Some clients send the slash of a name as it is.
    for (const name of ["org/echo", "org%2Fecho"]) {
      const { status, json } = await guarded.server.call("GET", `${OPENAI_DOOR}/models/${name}`)
      expect([status, json.id]).toEqual([200, "org/echo"])
    }
  })
})

describe("a blocked message", () => {
  const refused = async (path: string, body: object) => {
    const answers: unknown[] = []
    guarded.countCalls()
    for (const stream of [false, true])
      answers.push(await post(`${OPENAI_DOOR}/${path}`, { model: "echo", stream, ...body }))
    expect(guarded.countCalls()).toBe(0)
    return answers as readonly { readonly status: number; readonly json: any; readonly text: string }[] // oxlint-disable-line typescript/no-explicit-any -- an answer has any fields
  }

  it(
    "is a normal chat completion with the refusal, and its usage if asked for",
    verifies("openai.blocked"),
    async () => {
      const [whole, streamed] = await refused("chat/completions", {
        messages: says(HARM),
        stream_options: { include_usage: true },
      })
      expect(whole?.json).toMatchObject({
        choices: [{ message: { content: "No." }, finish_reason: "content_filter" }],
        usage: { total_tokens: 0 },
        guardrails_data: { log: { activated_rails: [{ status: "blocked" }] } },
      })
      const chunks = dataOf(streamed?.text)
      expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: { content: "No." }, finish_reason: "content_filter" }] })
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 0, total_tokens: 0 } })
      const plain = await post(`${OPENAI_DOOR}/chat/completions`, { model: "echo", messages: says(HARM), stream: true })
      expect(dataOf(plain.text)).toHaveLength(1)
    },
  )

  it("is a completed response with the refusal and usage", verifies("openai.blocked"), async () => {
    const [whole, streamed] = await refused("responses", { input: HARM })
    const done = dataOf(streamed?.text).at(-1)
    for (const response of [whole?.json, done?.["response"]]) {
      expect(response).toMatchObject({
        status: "completed",
        incomplete_details: null,
        output: [{ content: [{ type: "output_text", text: "No." }] }],
        usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      })
    }
  })

  it("is a completion of a text with the refusal", verifies("openai.blocked"), async () => {
    const [whole, streamed] = await refused("completions", { prompt: HARM })
    expect(whole?.json.choices).toEqual([{ index: 0, text: "No.", logprobs: null, finish_reason: "content_filter" }])
    expect(dataOf(streamed?.text).at(-1)).toMatchObject({ choices: [{ text: "No.", finish_reason: "content_filter" }] })
  })

  it("in the answer of the model is withheld, and later text too", verifies("openai.blocked"), async () => {
    const fault = (content: string) => ({ kind: "answer" as const, status: 200, body: completion(content) })
    guarded.judge.fake.faults.add({ when: ({ chat }) => chat?.model === "echo", fault: fault(HARM) })
    const whole = await post(`${OPENAI_DOOR}/responses`, { model: "echo", input: "Hello" })
    expect([whole.json.status, whole.json.output[0].content[0].text]).toEqual(["completed", "No."])
    expect(whole.json.usage).toMatchObject({ input_tokens: 7, output_tokens: 4, total_tokens: 11 })
    const streamed = await post(`${OPENAI_DOOR}/responses`, { model: "echo", input: "Hello", stream: true })
    expect(streamed.text).not.toContain("bomb")
    expect(dataOf(streamed.text).at(-1)).toMatchObject({ type: "response.completed" })
  })

  const completion = (content: string) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "echo",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 },
  })
})

describe("the address of a configuration", () => {
  it("is a 404 in OpenAI's form if it does not exist", verifies("openai.errors"), async () => {
    const asked = { model: "echo", messages: says("Hello") }
    for (const name of ["none", "system%2Fself-check", "%2e%2e", "g%2F.."]) {
      const answer = await post(OPENAI_DOOR.replace("/g/", `/${name}/`) + "/chat/completions", asked)
      expect([name, answer.status, answer.json.error.type]).toEqual([name, 404, "invalid_request_error"])
    }
  })

  it(
    "has no stored responses and no other APIs, which it says in OpenAI's form",
    verifies("openai.refused"),
    async () => {
      const { responses, embeddings } = client(OPENAI_DOOR)
      const lookups = [
        () => responses.retrieve("resp_1"),
        () => responses.cancel("resp_1"),
        () => responses.delete("resp_1"),
        () => responses.inputItems.list("resp_1"),
      ]
      for (const lookup of lookups) {
        await expect(lookup()).rejects.toMatchObject({
          status: 400,
          message: expect.stringContaining("nothing is stored"),
        })
      }
      const other = embeddings.create({ model: "echo", input: "Hello" })
      await expect(other).rejects.toMatchObject({ status: 404, code: "not_found", type: "invalid_request_error" })
    },
  )

  it("is the only choice: the body names no other", verifies("openai.address"), async () => {
    for (const guardrails of [{ config_id: "g" }, { config_ids: ["g"] }, { config: {} }]) {
      const answer = await post(`${OPENAI_DOOR}/responses`, { model: "echo", input: "Hello", guardrails })
      expect([answer.status, answer.json.error.param]).toEqual([400, `guardrails.${Object.keys(guardrails)[0]}`])
    }
    const options = { log: { llm_calls: true } }
    const shown = await post(`${OPENAI_DOOR}/responses`, { model: "echo", input: "Hello", guardrails: { options } })
    expect(shown.json.guardrails_data.log.activated_rails[0].prompt.length).toBeGreaterThan(0)
  })
})

/** Returns the JSON of each event of a stream. */
function dataOf(text = ""): readonly Readonly<Record<string, unknown>>[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
  return lines.map((line) => JSON.parse(line.slice(6)) as Readonly<Record<string, unknown>>)
}
