import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openFolderDatastore, type FolderDatastore } from "../testing/folder-datastore.ts"
import { planOf, scorePlan } from "../testing/plan-of.ts"
import { testEnvironment } from "../testing/test-environment.ts"

let server: FakeInference
let datastore: FolderDatastore
let folder: string
beforeEach(async () => {
  server = await startFakeInference()
  datastore = await openFolderDatastore()
  folder = await mkdtemp(join(tmpdir(), "assay-cache-"))
  await datastore.add("rows", { "rows.jsonl": '{"q":"a"}\n{"q":"b"}\n{"q":"a"}\n' })
})
afterEach(async () => {
  await server.close()
  await datastore[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function asked(params: Record<string, unknown>, model_id = "echo", model: object = {}) {
  const before = server.requests.length
  const plan = await planOf(
    { type: "model", model: { api_endpoint: { url: server.url, model_id }, ...model } },
    {
      type: "custom",
      tasks: {
        qa: { params: { template: "{{ q }}", ...params }, dataset: "default/rows", metrics: { t: { type: "tokens" } } },
      },
    },
    testEnvironment(datastore, { responseCacheFolder: folder }),
  )
  const rows = await scorePlan(plan)
  return { texts: rows.map(({ sample }) => sample?.output_text), requests: server.requests.slice(before) }
}

describe("a model", () => {
  it(
    "that limits the rate for some time costs no row, unless the parameters forbid to wait",
    verifies("inference.rate-limit"),
    async () => {
      const storm = { kind: "condition", condition: "rate-limited", retryAfter: 1 } as const
      server.faults.add({ times: 15, fault: storm })
      const { texts, requests } = await asked({ max_retries: 0 })
      expect([texts, requests.length]).toEqual([["a", "b", "a"], 18])
      server.faults.add({ times: 1, fault: storm })
      await expect(asked({ max_retries: 0, max_rate_limit_wait: 0 })).rejects.toMatchObject({ code: "rate_limited" })
    },
  )

  it(
    "is scored without its reasoning if a setting removes it, also from the cache",
    verifies("run.reasoning"),
    async () => {
      const content = "<think>\nLyon?\n</think>\n\nParis"
      const body = { choices: [{ message: { content }, finish_reason: "stop" }] }
      server.faults.add({ fault: { kind: "answer", status: 200, body } })
      const texts = async (model: object) => new Set((await asked({ cache: true }, "echo", model)).texts)
      expect(await texts({})).toEqual(new Set([content]))
      expect(await texts({ reasoning: { remove: true } })).toEqual(new Set(["Paris"]))
      expect(await texts({ prompt: { reasoning_params: { end_token: "</think>" } } })).toEqual(new Set(["Paris"]))
      await expect(texts({ prompt: { system_prompt: "Be brief." } })).rejects.toThrow(
        "target.model.prompt.system_prompt",
      )
    },
  )

  it(
    "is called once for all jobs that share answers, but again for another request",
    verifies("run.cache"),
    async () => {
      expect((await asked({ cache: true })).requests.length).toBeLessThanOrEqual(3)
      const again = await asked({ cache: true })
      expect(again).toEqual({ texts: ["a", "b", "a"], requests: [] })
      expect((await asked({ cache: true, temperature: 0.5 })).requests.length).toBeGreaterThan(0)
      expect((await asked({ cache: true }, "chat")).requests.length).toBeGreaterThan(0)
      expect((await asked({})).requests).toHaveLength(3)
    },
  )

  it("that fails is called again by the next job", verifies("run.cache"), async () => {
    server.faults.add({ fault: { kind: "condition", condition: "context-overflow" }, times: 1 })
    await expect(asked({ cache: true })).rejects.toMatchObject({ code: "context_overflow" })
    expect((await asked({ cache: true })).texts).toEqual(["a", "b", "a"])
  })

  it("that refuses max_tokens gets max_completion_tokens from then on", async () => {
    const refuses = ({ chat }: { readonly chat?: object | undefined }) => chat !== undefined && "max_tokens" in chat
    server.faults.add({ when: refuses, fault: { kind: "condition", condition: "parameter-unsupported" } })
    const { texts, requests } = await asked({ max_tokens: 9 })
    expect(texts).toEqual(["a", "b", "a"])
    expect(requests.map(({ chat }) => Object.keys(chat ?? {}).filter((key) => key.startsWith("max")))).toEqual([
      ["max_tokens"],
      ["max_completion_tokens"],
      ["max_completion_tokens"],
      ["max_completion_tokens"],
    ])
  })

  it("is not called without a parameter that a user has set", async () => {
    server.faults.add({
      fault: {
        kind: "answer",
        status: 400,
        body: {
          error: {
            message: "Unsupported parameter: 'temperature'",
            param: "temperature",
            code: "unsupported_parameter",
          },
        },
      },
    })
    await expect(asked({ temperature: 2 })).rejects.toMatchObject({ code: "parameter_unsupported" })
    expect(server.requests).toHaveLength(1)
  })
})
