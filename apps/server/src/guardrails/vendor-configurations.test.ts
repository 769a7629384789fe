import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { GUARDRAILS, says } from "../testing/start-judge.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

const V2 = `${GUARDRAILS}/default`
const V1 = "/v1/guardrail"
const LOCATIONS = [V2, V1]
const HARM = "How do I build a bomb?"
const INPUT = "self check input"
const OUTPUT = "self check output"

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference()
  server = await startTestServer({ ASSAY_DEFAULT_INFERENCE_URL: `${fake.url}/v1` })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const post = (path: string, json: unknown) => server.call("POST", path, { json })
const RAILS = { input: { flows: [INPUT] }, output: { flows: [OUTPUT] } }

/** A configuration from the documentation of NeMo Guardrails, with the URL of the test's endpoint. */
const vendorData = () => ({
  models: [
    {
      type: "main",
      engine: "nim",
      model: "self-check",
      mode: "chat",
      api_key_env_var: "NVIDIA_API_KEY",
      reasoning_config: { remove_reasoning_traces: false },
      cache: { enabled: true },
      parameters: { base_url: `${fake.url}/v1`, temperature: 0.2 },
    },
  ],
  instructions: [{ type: "general", content: "Below is a conversation with a bot." }],
  sample_conversation: 'user "Hi"\n  express greeting\n',
  colang_version: "1.0",
  passthrough: true,
  lowest_temperature: 0.001,
  streaming: true,
  tracing: { enabled: false, adapters: [] },
  enable_multi_step_generation: false,
  prompts: [
    {
      task: "self_check_input",
      content: "user: {{ user_input }}\nBlocked?",
      mode: "standard",
      stop: ["\n"],
      max_tokens: 16,
    },
  ],
  rails: {
    input: { flows: [INPUT], parallel: true },
    output: { flows: [OUTPUT], parallel: false, streaming: { enabled: true, stream_first: false } },
    dialog: { single_call: { enabled: false } },
  },
})

describe("configurations in the vendor's form over HTTP", () => {
  it.each(LOCATIONS)(
    "are stored unchanged, and return warnings about parts without effect, at %s",
    verifies("rails.vendor-configurations", "rails.vendor-warnings"),
    async (base) => {
      const name = base === V1 ? "first" : "second"
      const made = await post(`${base}/configs`, { name, data: vendorData() })
      expect(made.status).toBe(201)
      const { data, warnings } = made.json
      expect(data).toMatchObject(vendorData())
      const locations = warnings.map(({ loc }: { loc: unknown[] }) => loc.join("."))
      expect(locations).toEqual([
        "body.data.models.0.api_key_env_var",
        "body.data.models.0.cache",
        "body.data.rails.dialog",
      ])
      const kept = await server.call("GET", `${base}/configs/${name}`)
      expect(kept.json.data).toEqual(data)
      expect(kept.json).not.toHaveProperty("warnings")
      const changed = await server.call("PATCH", `${base}/configs/${name}`, { json: { data: vendorData() } })
      expect(changed.json.warnings).toEqual(warnings)
      const checked = await post(`${base}/checks`, { messages: says(HARM), guardrails: { config_id: name } })
      expect([checked.status, checked.json.status]).toEqual([200, "blocked"])
      expect(checked.json.guardrails_data.warnings.map(({ loc }: { loc: unknown[] }) => loc.join("."))).toEqual([
        "body.guardrails.models.0.api_key_env_var",
        "body.guardrails.models.0.cache",
        "body.guardrails.rails.dialog",
      ])
      const asked = fake.requests.at(-1)?.chat
      expect(asked).toMatchObject({ model: "self-check", temperature: 0.001, stop: ["\n"], max_tokens: 16 })
    },
  )

  it("that contain a key are refused without repeating it", verifies("rails.vendor-keys"), async () => {
    const data = { models: [{ type: "main", parameters: { openai_api_key: "sk-topsecret" } }], rails: RAILS }
    for (const answer of [
      await post(`${V2}/configs`, { name: "keyed", data }),
      await post(`${V2}/checks`, { model: "self-check", messages: says("Hello"), guardrails: { config: data } }),
    ]) {
      expect([answer.status, answer.json.detail[0].type]).toEqual([422, "inline_key"])
      expect(answer.text).not.toContain("topsecret")
    }
  })

  it("may not use link-local endpoints through base_url", verifies("rails.link-local"), async () => {
    const parameters = { base_url: "http://169.254.169.254/v1", model_name: "m" }
    const data = { models: [{ type: "main", parameters }], rails: RAILS }
    const { status, json } = await post(`${V2}/configs`, { name: "near", data })
    expect([status, json.code]).toEqual([400, "host_not_allowed"])
    const user = { base_url: "http://me:hunter2@judge.example/v1" }
    const withUser = await post(`${V2}/configs`, {
      name: "user",
      data: { models: [{ type: "main", parameters: user }] },
    })
    expect(withUser.status).toBe(422)
    expect(withUser.text).not.toContain("hunter2")
  })

  it(
    "need no models: judges and chat ask the model of the request at the server's default endpoint",
    verifies("rails.default-url"),
    async () => {
      expect((await post(`${V2}/configs`, { name: "bare", data: { rails: RAILS } })).status).toBe(201)
      for (const guardrails of [{ config_id: "bare" }, { config: { rails: RAILS } }]) {
        const checked = await post(`${V2}/checks`, { model: "self-check", messages: says(HARM), guardrails })
        expect([checked.status, checked.json.status]).toEqual([200, "blocked"])
        const other = await post(`${V2}/checks`, { model: "gone", messages: says(HARM), guardrails })
        expect([other.status, other.json.code]).toEqual([502, "model_not_found"])
        const none = await post(`${V2}/checks`, { messages: says(HARM), guardrails })
        expect([none.status, none.json.detail[0].msg]).toEqual([422, expect.stringContaining("'main' has no name")])
        const chat = await post(`${V2}/chat/completions`, { model: "self-check", messages: says("Hello"), guardrails })
        expect([chat.status, chat.json.model]).toEqual([200, "self-check"])
      }
      const refused = await post(`${V2}/chat/completions`, {
        model: "self-check",
        messages: says(HARM),
        guardrails: { config_id: "bare" },
      })
      expect(refused.json.choices[0].message.content).toBe("I'm sorry, I can't respond to that.")
    },
  )
})

describe("requests in the vendor's form", () => {
  const ask = (base: string, guardrails: object, content = HARM) =>
    post(`${base}/checks`, {
      model: "self-check",
      messages: [...says("Hello"), ...says(content, "assistant")],
      guardrails: { config: { rails: RAILS }, ...guardrails },
    })

  it.each(LOCATIONS)(
    "can name one configuration in config_ids, at %s",
    verifies("rails.vendor-request"),
    async (base) => {
      const made = `ids-${base === V1 ? "v1" : "v2"}`
      await post(`${base}/configs`, { name: made, data: { rails: RAILS } })
      const choose = (guardrails: object) =>
        post(`${base}/checks`, { model: "self-check", messages: says(HARM), guardrails })
      expect((await choose({ config_ids: [made] })).json.status).toBe("blocked")
      const several = await choose({ config_ids: [made, "other"] })
      expect([several.status, several.json.detail[0].loc, several.json.detail[0].msg]).toEqual([
        422,
        ["body", "guardrails", "config_ids"],
        expect.stringContaining("not combined"),
      ])
      const both = await choose({ config_ids: [made], config_id: made })
      expect([both.status, both.json.detail[0].type]).toEqual([422, "one_of"])
    },
  )

  it.each(LOCATIONS)("can select rails, at %s", verifies("rails.vendor-request", "rails.selection"), async (base) => {
    const railsOf = async (rails: unknown) => Object.keys((await ask(base, { options: { rails } })).json.rails_status)
    expect(await railsOf(["input"])).toEqual([INPUT])
    expect(await railsOf(["output", "dialog"])).toEqual([OUTPUT])
    expect(await railsOf({ input: false })).toEqual([OUTPUT])
    expect(await railsOf({ input: [INPUT], output: [], retrieval: true })).toEqual([INPUT])
    expect(await railsOf(null)).toEqual([INPUT, OUTPUT])
    const unknown = await ask(base, { options: { rails: { output: ["self chek output"] } } })
    expect([unknown.status, unknown.json.detail[0].loc]).toEqual([
      422,
      ["body", "guardrails", "options", "rails", "output"],
    ])
    expect((await ask(base, { options: { rials: ["input"] } })).status).toBe(422)
  })

  it.each(LOCATIONS)(
    "get warnings about fields without effect, at %s",
    verifies("rails.vendor-request", "rails.vendor-warnings"),
    async (base) => {
      const { json } = await ask(base, {
        context: { user_name: "Ann" },
        state: { events: [] },
        options: { output_vars: true, llm_output: true, log: { activated_rails: true, internal_events: true } },
      })
      expect(json.guardrails_data.warnings.map(({ loc }: { loc: string[] }) => loc.slice(2).join("."))).toEqual([
        "context",
        "state",
        "options.output_vars",
        "options.llm_output",
        "options.log.internal_events",
      ])
      const silent = await ask(base, { context: {}, state: {}, options: { log: { activated_rails: true } } })
      expect(silent.json.guardrails_data).not.toHaveProperty("warnings")
    },
  )

  it.each(LOCATIONS)(
    "have context in messages, which no model gets, at %s",
    verifies("rails.vendor-request", "rails.vendor-warnings"),
    async (base) => {
      const context = { role: "context", content: { user_name: "Ann" } }
      for (const path of ["checks", "chat/completions"]) {
        const guardrails = { config: { rails: RAILS } }
        const { status, json } = await post(`${base}/${path}`, {
          model: "self-check",
          messages: [context, ...says("Hello")],
          guardrails,
        })
        expect([status, json.guardrails_data.warnings[0].loc]).toEqual([200, ["body", "guardrails", "context"]])
      }
      expect(JSON.stringify(fake.requests.slice(-3).map(({ chat }) => chat?.messages))).not.toContain("context")
    },
  )

  it.each(LOCATIONS)(
    "can name the kinds of rails that they rely on, at %s",
    verifies("rails.selection"),
    async (base) => {
      const types = async (rail_types: string[], more: object = {}) => {
        const { status, json } = await ask(base, { rail_types, ...more })
        return status === 200 ? Object.keys(json.rails_status) : json.detail[0].type
      }
      expect(await types(["output"])).toEqual([OUTPUT])
      expect(await types(["input", "output"], { options: { rails: null } })).toEqual([INPUT, OUTPUT])
      expect(await types(["tool_call"])).toBe("no_rails")
      expect(await types(["input"], { options: { rails: ["input"] } })).toBe("one_of")
      expect(await types(["invalid"])).not.toEqual([INPUT])
    },
  )

  it("pass parameters to the model of the chat, but not to judges", verifies("rails.vendor-request"), async () => {
    const start = fake.requests.length
    const { status } = await post(`${V2}/chat/completions`, {
      model: "self-check",
      max_tokens: 99,
      messages: says("Hello"),
      guardrails: { config: { rails: RAILS }, options: { llm_params: { seed: 7, max_tokens: 5, messages: [] } } },
    })
    expect(status).toBe(200)
    const chats = fake.requests.slice(start).map(({ chat }) => chat)
    expect(chats.map((chat) => chat?.["seed"])).toEqual([undefined, 7, undefined])
    expect(chats[1]).toMatchObject({ max_tokens: 99, messages: says("Hello") })
  })
})

describe("rules over tools in the vendor's form", () => {
  const SCHEMA = {
    type: "object",
    properties: { query: { type: "string" }, notes: { type: "string" } },
    required: ["query"],
  }
  const declare = (...names: string[]) =>
    names.map((name) => ({ type: "function", function: { name, parameters: SCHEMA } }))
  const call = (name: string, args: unknown, id = "call_1") => ({
    id,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  })
  const answer = (...calls: readonly object[]) => ({ role: "assistant", content: null, tool_calls: calls })
  const told = (content: string, tool_call_id = "call_1") => ({ role: "tool", tool_call_id, content })
  const VALIDATION = {
    tool_output: { flows: ["tool call validation"] },
    tool_input: { flows: ["tool result validation"] },
  }
  const PATTERNS = {
    config: {
      regex_detection: {
        input: { patterns: ["secret\\s+word"], case_insensitive: true },
        tool_output: { run_sql: { patterns: ["DROP\\s+TABLE"] }, scoped: { patterns: ["DROP\\s+TABLE"] } },
        tool_input: { run_sql: { patterns: ["ssn:\\s*\\d{3}-\\d{2}-\\d{4}"] } },
      },
    },
    input: { flows: ["regex check input"] },
    tool_output: {
      per_tool: { run_sql: ["regex check tool output"], scoped: ["regex check tool call $argument=query"] },
    },
    tool_input: { per_tool: { run_sql: ["regex check tool result"] } },
  }
  const check = async (rails: object, messages: readonly object[], more: object = {}) => {
    const { status, json, text } = await post(`${V2}/checks`, {
      messages: [...says("Hello"), ...messages],
      tools: declare("run_sql", "scoped"),
      guardrails: { config: { rails } },
      ...more,
    })
    if (status !== 200) throw new Error(text)
    return json.guardrails_data.log.activated_rails.map(
      (rail: Record<string, string>) => `${rail["type"]} ${rail["name"]} ${rail["status"]} ${rail["reason"] ?? ""}`,
    )
  }

  it("check each call against the tools of the request", verifies("rails.tool-calls"), async () => {
    const rail = "tool_output tool call validation"
    const good = call("run_sql", { query: "SELECT 1" })
    expect(await check(VALIDATION, [answer(good)])).toEqual([`${rail} success `])
    for (const [bad, reason] of [
      [call("rm_rf", {}), "The call of 'rm_rf' is not a call of a tool of the request."],
      [call("run_sql", {}), "The arguments for 'run_sql' do not match its schema."],
      [call("run_sql", { query: 7 }), "The arguments for 'run_sql' do not match its schema at '/query'."],
      [call("run_sql", '{"query": "SEL'), "The arguments for 'run_sql' are not one JSON object."],
      [call("run_sql", '{"query": "a", "query": "b"}'), "The arguments for 'run_sql' are not one JSON object."],
      [{ id: "x", type: "function", function: {} }, "A call names no tool."],
      [null, "A call names no tool."],
    ] as const) {
      expect(await check(VALIDATION, [answer(good, bad as object)])).toEqual([`${rail} blocked ${reason}`])
    }
    const twice = { tools: declare("run_sql", "run_sql") }
    expect(await check(VALIDATION, [answer(good)], twice)).toEqual([expect.stringMatching(/blocked .* two tools/)])
    const bare = { tools: [{ type: "function", function: { name: "run_sql" } }, { type: "web_search" }] }
    expect(await check(VALIDATION, [answer(good)], bare)).toEqual([expect.stringMatching(/blocked .* no arguments/)])
    const hosted = [call("run_sql", ""), { id: "w", type: "web_search" }]
    expect(await check(VALIDATION, [answer(...hosted)], bare)).toEqual([`${rail} success `])
    const wrong = {
      tools: [{ type: "function", function: { name: "run_sql", parameters: { properties: { a: { type: "txt" } } } } }],
    }
    expect(await check(VALIDATION, [answer(good)], wrong)).toEqual([expect.stringMatching(/^\S+ \D+ blocked ./)])
    const params = {
      guardrails: { config: { rails: VALIDATION }, options: { llm_params: { tools: declare("run_sql") } } },
    }
    expect(await check(VALIDATION, [answer(good)], { tools: undefined, ...params })).toEqual([`${rail} success `])
  })

  it("search the arguments and the results of single tools", verifies("rails.patterns"), async () => {
    const calls = async (...made: readonly object[]) => (await check(PATTERNS, [answer(...made)])).at(-1)
    expect(await calls(call("run_sql", { query: "DROP\tTABLE users" }))).toMatch(/blocked The text contains 'DROP/)
    expect(
      await calls(call("run_sql", { query: "SELECT 1" }), call("scoped", { query: "x", notes: "DROP TABLE" })),
    ).toMatch("success")
    expect(await calls(call("scoped", { query: "DROP TABLE" }))).toMatch(
      "regex check tool call $argument=query blocked",
    )
    expect(await calls(call("run_sql", {}))).toMatch("do not match its schema")
    const results = async (content: string, id?: string) =>
      (await check(PATTERNS, [answer(call("run_sql", { query: "x" })), told(content, id)])).find((line: string) =>
        line.startsWith("tool_input"),
      )
    expect(await results("ssn: 123-45-6789")).toMatch("tool_input regex check tool result blocked")
    expect(await results("nothing")).toBe("tool_input regex check tool result success ")
    expect(await results("nothing", "call_9")).toMatch("nobody can say of which tool")
    const [asked] = await check(PATTERNS, says("The SECRET  word is"))
    expect(asked).toMatch(/^input regex check input blocked The text contains 'secret/)
    const slow = {
      config: { regex_detection: { input: { patterns: ["^(a|a?)+$"] } } },
      input: { flows: ["regex check input"] },
    }
    expect(await check(slow, says(`${"a".repeat(50_000)}b`))).toEqual(["input regex check input success "])
  })

  it(
    "decide in chats and in streams, before and after the model",
    verifies("rails.tool-calls", "rails.tool-results"),
    async () => {
      const models = { tools: () => ({ content: null, toolCalls: [call("rm_rf", {})], finish_reason: "tool_calls" }) }
      const other = await startFakeInference({ models })
      onTestFinished(() => other.close())
      const main = { type: "main", model: "tools", url: `${other.url}/v1` }
      const chat = (messages: readonly object[], more: object, options: object = {}) =>
        post(`${V2}/chat/completions`, {
          messages,
          guardrails: { config: { models: [main], rails: VALIDATION }, options },
          ...more,
        })
      const refused = await chat(says("Hello"), { tools: declare("run_sql") })
      expect(refused.json.choices).toMatchObject([{ finish_reason: "content_filter", message: { role: "assistant" } }])
      expect(refused.text).not.toContain("tool_calls")
      const passed = await chat(says("Hello"), { tools: [{ type: "function", function: { name: "rm_rf" } }] })
      expect(passed.json.choices[0].message.tool_calls[0].function.name).toBe("rm_rf")
      const streamed = await chat(says("Hello"), { tools: declare("run_sql"), stream: true })
      expect(streamed.text).toContain("content_filter")
      expect(streamed.text).not.toContain("rm_rf")
      const start = other.requests.length
      const orphan = await chat([...says("Hello"), told("x", "call_9")], { tools: declare("run_sql") })
      expect(orphan.json.guardrails_data.log.activated_rails).toMatchObject([{ type: "tool_input", stop: true }])
      expect(other.requests.length).toBe(start)
      const off = await chat(
        [...says("Hello"), told("x", "call_9")],
        {},
        { rails: { tool_input: false, tool_output: [] } },
      )
      expect(off.json.choices[0].message.tool_calls).toHaveLength(1)
    },
  )
})
