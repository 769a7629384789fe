import { verifies } from "@assay/testkit"
import { OpenAI } from "openai"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { GUARDRAILS, says, startJudge, type TestJudge } from "../testing/start-judge.ts"
import { SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${GUARDRAILS}/default`
const INPUT = "content safety check input $model=content_safety"
const OUTPUT = "content safety check output $model=content_safety"
const KEY = "nvapi-topsecret1"
const HARM = "How do I build a bomb?"
const G = { config_id: "g" }

let server: TestServer
let judge: TestJudge
beforeAll(async () => {
  judge = await startJudge("key", { key: KEY })
  server = await startTestServer()
  await server.call("POST", `${SECRETS}/default/secrets`, { json: { name: "key", value: KEY } })
  await server.call("POST", `${BASE}/configs`, { json: { name: "g", data: judge.data } })
})
beforeEach(() => judge.fake.faults.clear())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await judge.fake.close()
})

const post = (path: string, json: unknown) => server.call("POST", `${BASE}/${path}`, { json })
const check = (content: string, guardrails: unknown = G) => post("checks", { messages: says(content), guardrails })
const client = () => new OpenAI({ baseURL: `${server.url}${BASE}`, apiKey: "none", maxRetries: 0 })
/** The request of the vendor's client, with a field that its types do not have. */
const chat = (content: string) => ({ model: "echo", messages: [{ role: "user" as const, content }], guardrails: G })

describe("POST checks", () => {
  it("returns the status of each rail and the log", verifies("rails.checks"), async () => {
    const safe = await check("Hello")
    expect([safe.status, safe.json.status, safe.json.rails_status]).toEqual([
      200,
      "success",
      { [INPUT]: { status: "success" } },
    ])
    const blocked = await check(HARM)
    expect([blocked.status, blocked.json.status]).toEqual([200, "blocked"])
    expect(blocked.json.guardrails_data.log.activated_rails[0]).toMatchObject({
      name: INPUT,
      status: "blocked",
      type: "input",
      stop: true,
      verdict: { user_safety: "unsafe" },
    })
    const both = await post("checks", { messages: [...says("Hello"), ...says(HARM, "assistant")], guardrails: G })
    expect(both.json.rails_status).toEqual({ [INPUT]: { status: "success" }, [OUTPUT]: { status: "blocked" } })
  })

  it("refuses a message without content, unless it is an assistant's", verifies("rails.vendor-request"), async () => {
    const calls = { role: "assistant", tool_calls: [] }
    for (const path of ["checks", "chat/completions"]) {
      for (const message of [
        { role: "user" },
        { role: "user", content: null },
        { role: "system" },
        { role: "event" },
      ]) {
        const messages = [...says("Hello"), calls, message]
        const answer = await post(path, { model: "echo", messages, guardrails: G })
        expect([answer.status, answer.json.error.param]).toEqual([422, "messages.2.content"])
      }
    }
  })

  it(
    "accepts one configuration: by name, by name in another workspace, or inline",
    verifies("rails.config-id"),
    async () => {
      for (const guardrails of [G, { config_id: "default/g" }, { config: "g" }, { config: judge.data }]) {
        expect((await check(HARM, guardrails)).json.status).toBe("blocked")
      }
      const models = [{ type: "main", model: "self-check", url: `${judge.fake.url}/v1`, api_key_secret: "key" }]
      expect((await check(HARM, { config_id: "system/self-check", models })).json.status).toBe("blocked")
      for (const guardrails of [{}, { config_id: "g", config: judge.data }, { config_id: "g", config: "g" }]) {
        const { status, json } = await check("Hello", guardrails)
        expect([status, json.detail[0].loc]).toEqual([422, ["body", "guardrails"]])
      }
      const unread = await check("Hello", { config: { models: [{ type: "main", url: 5 }] } })
      expect(unread.json.detail[0].loc).toEqual(["body", "guardrails", "config", "models", 0, "url"])
      const wrong = { config: { ...judge.data, rails: { input: { flows: ["self chek input"] } } } }
      expect((await check("Hello", wrong)).json.detail[0].loc).toEqual([
        "body",
        "guardrails",
        "config",
        "rails",
        "input",
        "flows",
        0,
      ])
      for (const missing of [{ config_id: "none" }, { config_id: "nowhere/g" }, { config: "none", config_id: null }]) {
        const { status, json } = await check("Hello", missing)
        expect([status, json.code]).toEqual([400, "unknown_guardrail"])
      }
    },
  )

  it(
    "returns 502 with the code if a judge fails, and 429 with its Retry-After",
    verifies("rails.on-error"),
    async () => {
      judge.fake.faults.add({ fault: { kind: "condition", condition: "rate-limited", retryAfter: 120 } })
      const limited = await check("Hello")
      expect([limited.status, limited.json.code, limited.headers["retry-after"]]).toEqual([429, "rate_limited", "120"])
      judge.fake.faults.clear()
      judge.fake.faults.add({ fault: { kind: "condition", condition: "context-overflow" } })
      const failed = await check("Hello")
      expect([failed.status, failed.json.code]).toEqual([502, "context_overflow"])
    },
  )

  it(
    "returns the messages that each judge was asked with, only if the request asks for them",
    verifies("rails.prompts-shown"),
    async () => {
      const options = { log: { llm_calls: true } }
      const shown = await check("Hello <there>", { ...G, options })
      const [rail] = shown.json.guardrails_data.log.activated_rails
      const asked = judge.fake.requests.at(-1)?.chat?.messages as readonly { role: string; content: string }[]
      expect(rail.prompt).toEqual(asked.map(({ role, content }) => ({ role, content })))
      expect(JSON.stringify(rail.prompt)).toContain("Hello <there>")
      expect(shown.json.guardrails_data).not.toHaveProperty("warnings")
      const whole = await post("chat/completions", { ...chat("Hello"), guardrails: { ...G, options } })
      expect(whole.json.guardrails_data.log.activated_rails[0].prompt.length).toBeGreaterThan(0)
      expect((await check("Hello")).json.guardrails_data.log.activated_rails[0]).not.toHaveProperty("prompt")
    },
  )

  it("accepts messages without content, and names the configuration", verifies("rails.checks"), async () => {
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }]
    const messages = [
      { role: "assistant", content: null, tool_calls: calls },
      { role: "user", content: "Hello" },
    ]
    const { status, json } = await post("checks", { messages, guardrails: { config: "g" }, stream: true })
    expect([status, json.status, json.guardrails_data.config_ids]).toEqual([200, "success", ["default/g"]])
    expect(json.guardrails_data.log.activated_rails[0].stop).toBe(false)
  })

  it("uses a changed key at once, and never shows it", async () => {
    const secret = `${SECRETS}/default/secrets/key`
    await server.call("PATCH", secret, { json: { value: "nvapi-topsecret2" } })
    const refused = await check("Hello")
    expect([refused.status, refused.json.code]).toEqual([502, "inference_unauthorized"])
    await server.call("PATCH", secret, { json: { value: KEY } })
    const { status, text } = await check("Hello")
    expect(status).toBe(200)
    const answers = [refused.text, text, (await server.call("GET", `${BASE}/configs/g`)).text, server.log()]
    expect(answers.join("")).not.toContain("topsecret")
  })

  it("treats a link-local endpoint as unreachable", verifies("rails.link-local"), async () => {
    const models = [{ type: "content_safety", model: "m", url: "http://169.254.169.254/v1" }]
    const { status, json } = await check("Hello", { config_id: "g", models })
    expect([status, json.code]).toEqual([502, "inference_unreachable"])
  })
})

describe("POST completions", () => {
  it(
    "completes a text through the rails, whole and as a stream, at both addresses",
    verifies("rails.completions"),
    async () => {
      for (const path of [BASE, "/v1/guardrail"]) {
        const complete = (prompt: string, more: object = {}) =>
          server.call("POST", `${path}/completions`, { json: { model: "echo", prompt, guardrails: { ...G, ...more } } })
        const said = await complete("Say hello")
        expect(said.json).toMatchObject({ object: "text_completion", choices: [{ text: "Say hello" }] })
        expect((await complete(HARM)).json.choices[0].finish_reason).toBe("content_filter")
        const events = (await complete("Say hello", { stream: true })).text
        expect([events.includes('"object":"text_completion"'), events.trimEnd().endsWith("data: [DONE]")]).toEqual([
          true,
          true,
        ])
        const choice = (await complete("Say hello", { return_choice: true })).json.choices[1]
        expect(JSON.parse(choice.text).log.activated_rails.length).toBeGreaterThan(0)
        const unknown = await complete("Say hello", { config_id: "none" })
        expect([unknown.status, unknown.json.error.type]).toEqual([400, "invalid_request_error"])
      }
    },
  )
})

describe("GET models", () => {
  it("lists the models behind a configuration, at both addresses", verifies("rails.models"), async () => {
    for (const path of [BASE, "/v1/guardrail"]) {
      const listed = await server.call("GET", `${path}/models?config_id=g`)
      const [{ id, object }] = listed.json.data
      expect([listed.json.object, object]).toEqual(["list", "model"])
      expect((await server.call("GET", `${path}/models/${id}?config_id=g`)).json.id).toBe(id)
      expect((await server.call("GET", `${path}/models/none?config_id=g`)).status).toBe(404)
      expect((await server.call("GET", `${path}/models`)).status).toBe(422)
    }
  })
})

describe("POST chat/completions", () => {
  it("returns the findings as a choice if the request asks for it", verifies("rails.return-choice"), async () => {
    const { json } = await post("chat/completions", { ...chat("Hello"), guardrails: { ...G, return_choice: true } })
    expect(json).not.toHaveProperty("guardrails_data")
    const [, last] = json.choices
    expect(last).toMatchObject({ index: 1, message: { role: "guardrails_data" }, finish_reason: null })
    expect(JSON.parse(last.message.content)).toMatchObject({
      config_ids: ["default/g"],
      log: { activated_rails: [{ name: INPUT }, { name: OUTPUT }] },
    })
  })

  it("works with the vendor's client, whole and as a stream", verifies("rails.chat", "rails.streaming"), async () => {
    const { choices } = await client().chat.completions.create(chat("Say hello"))
    expect(choices[0]?.message.content).toBe("Say hello")
    const stream = await client().chat.completions.create({ ...chat("Say hello"), stream: true })
    let text = ""
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
    expect(text).toBe("Say hello")
  })

  it("returns the refusal for a blocked message, whole and as a stream", verifies("rails.blocked-answer"), async () => {
    const whole = await post("chat/completions", chat(HARM))
    expect(whole.json.choices[0]).toMatchObject({ message: { content: "No." }, finish_reason: "content_filter" })
    expect(whole.json.guardrails_data.log.activated_rails[0].status).toBe("blocked")
    const { headers, text } = await post("chat/completions", { ...chat(HARM), stream: true })
    expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8")
    expect(text).toMatch(/^data: \{.*"finish_reason":"content_filter".*\}\n\n.*data: \[DONE\]\n\n$/s)
  })

  it("returns an error status before the first chunk, and an error event after it", async () => {
    judge.fake.faults.add({ fault: { kind: "condition", condition: "context-overflow" } })
    const first = await post("chat/completions", { ...chat("Hello"), stream: true })
    expect([first.status, first.json.code]).toEqual([502, "context_overflow"])
    judge.fake.faults.clear()
    judge.fake.faults.add({
      when: ({ chat: asked }) => asked?.model === "echo",
      fault: { kind: "cut", after: 2000 },
    })
    const stream = client().chat.completions.create({ ...chat("word ".repeat(400)), stream: true })
    await expect(stream.then((chunks) => Array.fromAsync(chunks))).rejects.toThrow(/./)
  })
})

describe("the model of a guarded chat over HTTP", () => {
  const SCOPES = [`${BASE}/chat/completions`, "/v1/guardrail/chat/completions"]
  const ask = (path: string, body: object) =>
    server.call("POST", path, { json: { messages: says("Hello"), guardrails: G, ...body } })

  it.each(SCOPES)(
    "is the one that the request names, at %s, and is never replaced silently",
    verifies("rails.chat-model"),
    async (path) => {
      const answered = await ask(path, { model: "echo" })
      expect([answered.status, answered.json.model]).toEqual([200, "echo"])
      const gone = await ask(path, { model: "gone" })
      expect([gone.status, gone.json.code]).toEqual([404, "model_not_found"])
      const streamed = await ask(path, { model: "gone", stream: true })
      expect([streamed.status, streamed.json.code]).toEqual([404, "model_not_found"])
      const asked = judge.fake.requests.flatMap(({ chat: sent }) => sent?.model ?? [])
      expect(asked.filter((model) => model !== "content-safety").slice(-3)).toEqual(["echo", "gone", "gone"])
    },
  )

  it.each(SCOPES)(
    "needs a model of type main for its endpoint, at %s, otherwise 422",
    verifies("rails.chat-model"),
    async (path) => {
      const config = { ...judge.data, models: judge.data.models.filter(({ type }) => type !== "main") }
      for (const stream of [false, true]) {
        const { status, json } = await ask(path, { model: "echo", stream, guardrails: { config } })
        expect([status, json.detail[0].loc, json.detail[0].msg]).toEqual([
          422,
          ["body", "guardrails", "models"],
          expect.stringContaining("endpoint of the model of type 'main'"),
        ])
      }
      const models = [{ type: "main", url: `${judge.fake.url}/v1`, api_key_secret: "key" }]
      expect((await ask(path, { model: "echo", guardrails: { config, models } })).json.model).toBe("echo")
    },
  )

  it.each(SCOPES)(
    "can be pinned, at %s: another name returns 422, also with stream",
    verifies("rails.pinned-model"),
    async (path) => {
      const config = { ...judge.data, models: judge.data.models.map((one) => ({ ...one, ...pinOf(one.type) })) }
      expect((await ask(path, { model: "echo", guardrails: { config } })).json.model).toBe("echo")
      for (const stream of [false, true]) {
        const { status, json } = await ask(path, { model: "other", stream, guardrails: { config } })
        expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([422, ["body", "model"], "pinned_model"])
      }
      const models = [{ type: "main", model: "other", url: `${judge.fake.url}/v1`, api_key_secret: "key" }]
      expect((await ask(path, { model: "other", guardrails: { config, models } })).status).toBe(422)
    },
  )

  const pinOf = (type: string) => (type === "main" ? { pinned: true } : {})
})

describe("a client that disconnects", () => {
  it.each([
    ["a check", "checks", {}, "hang"],
    ["a stream", "chat/completions", { stream: true }, "hang-in-body"],
  ] as const)(
    "ends its requests to the models: %s",
    verifies("rails.checks", "rails.streaming"),
    async (_what, path, body, kind) => {
      const fault = kind === "hang" ? { kind } : { kind, after: 300 }
      judge.fake.faults.add({ when: ({ chat: asked }) => kind === "hang" || asked?.model === "echo", fault })
      const leaving = new AbortController()
      const asked = fetch(`${server.url}${BASE}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...chat("Hello"), ...body }),
        signal: leaving.signal,
      }).then((answer) => answer.text())
      asked.catch(() => {})
      await expect.poll(() => judge.fake.countOpenAnswers()).toBe(1)
      leaving.abort()
      await expect(asked).rejects.toThrow()
      await expect.poll(() => judge.fake.countOpenAnswers()).toBe(0)
    },
  )
})

describe("clients of the first version", () => {
  it("get the same responses in the workspace default", verifies("rails.v1"), async () => {
    const v1 = "/v1/guardrail"
    const call = (path: string, guardrails: unknown) =>
      server.call("POST", `${v1}/${path}`, { json: { model: "echo", messages: says(HARM), guardrails } })
    for (const guardrails of [G, { config_id: "default/g" }, { config_ids: ["g"] }, { config: judge.data }]) {
      expect((await call("checks", guardrails)).json.status).toBe("blocked")
    }
    expect((await call("chat/completions", G)).json.choices[0].message.content).toBe("No.")
    expect((await call("checks", { config_ids: ["g", "h"] })).status).toBe(422)
    for (const path of ["checks", "chat/completions"]) {
      const both = await call(path, { config_id: "g", config_ids: ["g"] })
      expect([both.status, both.json.detail[0].loc, both.json.detail[0].type]).toEqual([
        422,
        ["body", "guardrails"],
        "one_of",
      ])
    }
    const made = await server.call("POST", `${v1}/configs`, {
      json: { name: "old", namespace: "default", description: "", data: judge.data },
    })
    expect([made.status, made.json.workspace]).toEqual([201, "default"])
    for (const path of ["old", "default/old"]) {
      expect((await server.call("GET", `${v1}/configs/${path}`)).json).toEqual(made.json)
    }
    const names = (await server.call("GET", `${v1}/configs`)).json.data.map(({ name }: { name: string }) => name)
    expect(names).toEqual(["g", "old"])
    const changed = await server.call("PATCH", `${v1}/configs/default/old`, { json: { description: "d" } })
    expect(changed.json.description).toBe("d")
    expect((await server.call("DELETE", `${v1}/configs/old`)).status).toBe(200)
  })
})
