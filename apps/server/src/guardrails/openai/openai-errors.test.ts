import { verifies, type InferenceFault } from "@assay/testkit"
import { OpenAI } from "openai"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { OPENAI_DOOR, startGuardedServer, type GuardedServer } from "../../testing/start-guarded-server.ts"

const ASKED = { model: "echo", messages: [{ role: "user" as const, content: "Hello" }] }

let guarded: GuardedServer
beforeAll(async () => {
  guarded = await startGuardedServer()
})
beforeEach(() => {
  guarded.judge.fake.faults.clear()
  guarded.countCalls()
})
afterAll(() => guarded[Symbol.asyncDispose]())

/** Has the model that answers fail, and not its judges. */
const failModel = (fault: InferenceFault) =>
  guarded.judge.fake.faults.add({ when: ({ chat }) => chat !== undefined && chat.model !== "content-safety", fault })
const answers = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  kind: "answer" as const,
  status,
  headers,
  body: { error: { message: "It is so.", type: "some", code: null, param: null } },
})
const post = (path: string, json: unknown) => guarded.server.call("POST", path, { json })
const client = () => new OpenAI({ baseURL: guarded.baseUrl, apiKey: "none" })

describe("a failure of the model's endpoint", () => {
  it.each([400, 401, 403, 404])("%d stays what it is, after one request", verifies("openai.errors"), async (status) => {
    failModel(answers(status))
    const { openai, error } = await failureOf(client().chat.completions.create(ASKED))
    expect([openai, error.status, guarded.countCalls()]).toEqual([true, status, 1])
    await failureOf(client().responses.create({ model: "echo", input: "Hello" }))
    await failureOf(client().responses.create({ model: "echo", input: "Hello", stream: true }))
    expect(guarded.countCalls()).toBe(2)
    const { status: sent, json, headers } = await post(`${OPENAI_DOOR}/chat/completions`, ASKED)
    expect([sent, headers["www-authenticate"]]).toEqual([status, undefined])
    expect(json).toMatchObject({ detail: expect.any(String), code: expect.any(String) })
    expect(Object.keys(json.error).toSorted()).toEqual(["code", "message", "param", "type"])
  })

  it(
    "429 stays one with its Retry-After, and 500 is a 502: the model is asked twice, or as often as a client that retries sends",
    { ...verifies("openai.retries"), timeout: 30_000 },
    async () => {
      failModel(answers(429, { "retry-after": "7" }))
      const limited = await post(`${OPENAI_DOOR}/chat/completions`, ASKED)
      expect([limited.status, limited.headers["retry-after"], limited.json.error.type]).toEqual([
        429,
        "7",
        "rate_limit_error",
      ])
      expect(guarded.countCalls()).toBe(1)
      guarded.judge.fake.faults.clear()
      for (const status of [429, 500]) {
        failModel(answers(status))
        const { error } = await failureOf(client().chat.completions.create(ASKED))
        expect(error.status).toBe(status === 500 ? 502 : 429)
        expect(guarded.countCalls()).toBe(3)
        const streamed = { ...ASKED, stream: true as const }
        await failureOf(
          new OpenAI({ baseURL: guarded.baseUrl, apiKey: "none", maxRetries: 0 }).chat.completions.create(streamed),
        )
        expect(guarded.countCalls()).toBe(1)
        expect((await post(`${OPENAI_DOOR}/chat/completions`, ASKED)).status).toBe(error.status)
        expect(guarded.countCalls()).toBe(2)
        guarded.judge.fake.faults.clear()
      }
    },
  )

  it("an exhausted quota is not sent again by the client", verifies("openai.retries"), async () => {
    failModel({ kind: "condition", condition: "quota-exhausted" })
    const { status, headers, json } = await post(`${OPENAI_DOOR}/chat/completions`, ASKED)
    expect([status, headers["x-should-retry"], json.error.code]).toEqual([429, "false", "insufficient_quota"])
    guarded.countCalls()
    await failureOf(client().chat.completions.create(ASKED))
    expect(guarded.countCalls()).toBe(1)
  })

  it("names the wrong model as OpenAI does, also at the other address", verifies("openai.errors"), async () => {
    const asked = { ...ASKED, model: "gone" }
    const base = OPENAI_DOOR.replace("/configs/g/openai/v1", "")
    for (const [path, body] of [
      [`${OPENAI_DOOR}/chat/completions`, asked],
      [`${base}/chat/completions`, { ...asked, guardrails: { config_id: "g" } }],
    ] as const) {
      const { status, json } = await post(path, body)
      expect([status, json.code, json.error.code, json.error.param]).toEqual([
        404,
        "model_not_found",
        "model_not_found",
        "model",
      ])
    }
    expect(guarded.countCalls()).toBe(2)
  })

  it("after the first chunk is an event that every form understands", verifies("openai.errors"), async () => {
    const long = "word ".repeat(400)
    for (const kind of ["cut", "end-early"] as const) {
      failModel({ kind, after: 9000 })
      const chat = client().chat.completions.create({
        ...ASKED,
        messages: [{ role: "user", content: long }],
        stream: true,
      })
      await expect(chat.then((chunks) => Array.fromAsync(chunks))).rejects.toThrow(/./)
      const raw = client().responses.create({ model: "echo", input: long, stream: true })
      await expect(raw.then((events) => Array.fromAsync(events))).rejects.toThrow(/./)
      await expect(client().responses.stream({ model: "echo", input: long }).finalResponse()).rejects.toThrow(/./)
      const { text } = await post(`${OPENAI_DOOR}/responses`, { model: "echo", input: long, stream: true })
      const last = JSON.parse(text.trimEnd().split("\ndata: ").at(-1) ?? "")
      expect(last).toMatchObject({ type: "error", code: "bad_response", message: expect.any(String) })
      expect(last.sequence_number).toBe(text.split("\ndata: ").length - 2)
      guarded.judge.fake.faults.clear()
    }
  })
})

describe("a client that stops waiting", () => {
  it.each(["hang", "hang-in-body"] as const)(
    "ends the request to the model: %s",
    verifies("openai.address"),
    async (kind) => {
      failModel(kind === "hang" ? { kind } : { kind, after: 300 })
      const { chat, responses } = new OpenAI({ baseURL: guarded.baseUrl, apiKey: "none", maxRetries: 0 })
      const { signal, abort } = stopping()
      const asked = [
        chat.completions.create(ASKED, { signal }),
        responses.create({ model: "echo", input: "Hello" }, { signal }),
        responses.stream({ model: "echo", input: "Hello" }, { signal }).finalResponse(),
      ]
      const ended = Promise.allSettled(asked)
      await expect.poll(() => guarded.judge.fake.countOpenAnswers()).toBe(asked.length)
      abort()
      expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
      await expect.poll(() => guarded.judge.fake.countOpenAnswers()).toBe(0)
    },
  )

  function stopping() {
    const controller = new AbortController()
    return { signal: controller.signal, abort: () => controller.abort() }
  }
})

describe("a failure of a judge", () => {
  it(
    "stays a 502, and is not sent again by the client",
    { ...verifies("openai.retries"), timeout: 30_000 },
    async () => {
      const judged = guarded.judge.fake.requests
      guarded.judge.fake.faults.add({ when: ({ chat }) => chat?.model === "content-safety", fault: answers(404) })
      const before = judged.length
      const { error } = await failureOf(client().chat.completions.create(ASKED))
      expect([error.status, guarded.countCalls()]).toEqual([502, 0])
      expect(judged.slice(before).filter(({ chat }) => chat !== undefined)).toHaveLength(1)
      guarded.judge.fake.faults.clear()
      guarded.judge.fake.faults.add({ when: ({ chat }) => chat?.model === "content-safety", fault: answers(500) })
      const { headers } = await post(`${OPENAI_DOOR}/chat/completions`, ASKED)
      expect(headers["x-should-retry"]).toBe("false")
    },
  )
})

async function failureOf(asked: Promise<unknown>) {
  const error: unknown = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { openai: error instanceof OpenAI.APIError, error: error as InstanceType<typeof OpenAI.APIError> }
}
