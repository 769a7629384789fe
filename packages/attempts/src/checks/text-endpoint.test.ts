import type { EvaluationConfigBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { checkLaunch } from "./check-launch.ts"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import {
  type FolderDatastore,
  openFolderDatastore,
  planOf,
  scorePlan,
  testEnvironment,
} from "@assay/evaluation/testing"

let server: FakeInference
let datastore: FolderDatastore
beforeAll(async () => {
  server = await startFakeInference()
  datastore = await openFolderDatastore()
  await datastore.add("rows", {
    "rows.jsonl": '{"prompt":"The capital of France is"}\n{"prompt":"The capital of Italy is"}\n',
  })
})
afterAll(async () => {
  await server.close()
  await datastore[Symbol.asyncDispose]()
})
beforeEach(() => server.faults.clear())

const targetOf = (format?: string, url = server.url) => ({
  type: "model" as const,
  model: { api_endpoint: { url, model_id: "tiny-lm", ...(format === undefined ? {} : { format }) } },
})
const configOf = (task: object = {}) => ({
  type: "custom" as const,
  params: { max_tokens: 1 },
  tasks: { qa: { dataset: "default/rows", metrics: { t: { type: "tokens" } }, ...task } },
})

async function check(target: ReturnType<typeof targetOf>, config: EvaluationConfigBody) {
  return (await failuresOf(target, config)).map(({ check, code, message }) => [check, code, message])
}

async function failuresOf(target: ReturnType<typeof targetOf>, config: EvaluationConfigBody) {
  const options = { signal: new AbortController().signal }
  const { failed } = await checkLaunch({ target, config, namespace: "default" }, createLaunchPorts(datastore), options)
  return failed
}

describe("an endpoint with `format: completions`", () => {
  it("is asked at /completions with the prompt of a row or a template", verifies("run.text-endpoint"), async () => {
    for (const params of [{}, { template: { prompt: "{{ prompt }}" } }]) {
      const before = server.requests.length
      const plan = await planOf(targetOf("completions"), configOf({ params }), testEnvironment(datastore))
      const rows = await scorePlan(plan)
      expect(rows.map(({ sample }) => [sample?.output_text, sample?.finish_reason])).toEqual([
        [" Paris", "length"],
        [" Rome", "length"],
      ])
      const asked = server.requests.slice(before)
      expect(asked.map(({ url }) => url)).toEqual(["/v1/completions", "/v1/completions"])
      expect(asked[0]?.text).toEqual({
        model: "tiny-lm",
        prompt: "The capital of France is",
        max_tokens: 1,
        stream: false,
      })
    }
  })

  it("passes the launch checks with one request for one token", verifies("run.text-endpoint"), async () => {
    const before = server.requests.length
    expect(await check(targetOf("completions", `${server.url}/v1/completions`), configOf())).toEqual([])
    expect(server.requests.slice(before).map(({ text }) => text)).toEqual([
      { model: "tiny-lm", prompt: "Hello", max_tokens: 1, stream: false },
    ])
  })

  it("is refused at launch for chats, for judges, and if it is misspelt", verifies("run.text-endpoint"), async () => {
    const chat = { type: "chat-completion", params: { template: [{ role: "user", content: "{{ prompt }}" }] } }
    expect(await check(targetOf("completions"), configOf(chat))).toMatchObject([
      ["shape", "invalid_request", expect.stringContaining("tasks.qa.params.template: is a chat")],
      ["shape", "invalid_request", expect.stringContaining("write 'completion'")],
    ])
    const params = { model: targetOf("completions").model, template: "Good?", scores: { good: { type: "boolean" } } }
    expect(await check(targetOf("completions"), configOf({ metrics: { j: { type: "llm-judge", params } } }))).toEqual([
      ["shape", "invalid_request", expect.stringContaining("a judge is asked with a chat")],
    ])
    expect(await check(targetOf("completion"), configOf())).toContainEqual([
      "shape",
      "invalid_request",
      expect.stringContaining("target.model.api_endpoint.format: is 'completion'; write 'completions'"),
    ])
  })

  it("is refused as the judge of a guardrail", verifies("run.text-endpoint"), async () => {
    const config = { type: "content_safety" as const, params: {}, tasks: { qa: { dataset: "default/rows" } } }
    expect(await check(targetOf("completions"), config)).toContainEqual([
      "shape",
      "invalid_request",
      expect.stringContaining("target.model.api_endpoint.format: is 'completions', and a guardrail asks"),
    ])
  })

  it("that has only chats fails the launch with what to do", async () => {
    server.faults.add({
      when: ({ text }) => text !== undefined,
      fault: { kind: "answer", status: 404, body: { detail: "Not Found" } },
    })
    expect(await failuresOf(targetOf("completions"), configOf())).toMatchObject([
      {
        check: "endpoint",
        code: "inference_unreachable",
        remedy: expect.stringContaining("eave out `format: completions`"),
      },
    ])
  })
})
