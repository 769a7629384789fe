import { type FakeInference, startFakeInference } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openFolderDatastore, type FolderDatastore } from "../testing/folder-datastore.ts"
import { planOf, scorePlan } from "../testing/plan-of.ts"
import { testEnvironment } from "../testing/test-environment.ts"

let server: FakeInference
let datastore: FolderDatastore
beforeAll(async () => {
  server = await startFakeInference()
  datastore = await openFolderDatastore()
})
afterAll(async () => {
  await server.close()
  await datastore[Symbol.asyncDispose]()
})

const METRICS = { same: { type: "accuracy", params: { ground_truth: "{{ item.answer }}" } } }

describe("a task whose dataset has rows itself", () => {
  const target = () => ({ type: "model", model: { api_endpoint: { url: server.url, model_id: "echo" } } }) as const
  const tasks = (rows: unknown) => ({
    qa: { params: { template: "{{ q }}" }, dataset: { rows }, metrics: METRICS },
  })

  it("asks the model about them", async () => {
    const rows = [
      { q: "a", answer: "a" },
      { q: "b", answer: "c" },
    ]
    const scored = await scorePlan(await planOf(target(), { type: "custom", tasks: tasks(rows) }))
    expect(scored.map(({ outcomes }) => outcomes["same"]?.scores["accuracy"])).toEqual([1, 0])
  })

  it.each([
    [[], /tasks\.qa\.dataset\.rows: has no rows/],
    [["a"], /tasks\.qa\.dataset\.rows: has a row that is not an object/],
  ])("refuses %j", async (rows, message) => {
    await expect(planOf(target(), { type: "custom", tasks: tasks(rows) })).rejects.toThrow(message)
  })
})

describe("a task with a template of the output", () => {
  const rows = [{ reply: { text: "Rome" }, answer: "Rome" }]
  // A file can have anything under `output`.
  const configOf = (output: unknown, type = "data") => ({
    type: "custom" as const,
    tasks: { qa: { type, output: output as string, metrics: METRICS, dataset: { rows } } },
  })

  it("scores the column that it reads", async () => {
    const plan = await planOf({ type: "rows", rows }, configOf("{{ item.reply.text }}"))
    const [scored] = await scorePlan(plan)
    expect(scored).toMatchObject({ sample: { output_text: "Rome" }, outcomes: { same: { scores: { accuracy: 1 } } } })
  })

  it.each([
    [7, /tasks\.qa\.output: is not a text/],
    ["{{ item.reply", /tasks\.qa\.output/],
  ])("refuses the output %j", async (output, message) => {
    await expect(planOf({ type: "rows", rows }, configOf(output))).rejects.toThrow(message)
  })

  it("is refused if the model of the target is asked", async () => {
    const target = { type: "model", model: { api_endpoint: { url: server.url, model_id: "echo" } } } as const
    const plan = planOf(target, configOf("{{ item.reply.text }}", "chat-completion"), testEnvironment(datastore))
    await expect(plan).rejects.toThrow(/tasks\.qa\.output: has no effect, because the model of the target is asked/)
  })
})

describe("a cost without prices of its own", () => {
  const response = { choices: [], usage: { prompt_tokens: 1_000_000, completion_tokens: 1_000_000 } }
  const config = {
    type: "custom" as const,
    tasks: { qa: { type: "data", metrics: { cost: { type: "cost", params: { model: "small-1" } } } } },
  }

  it("has the price of the model in the price table", async () => {
    const prices = { currency: "USD", models: [{ model: "small-*", prompt_price: 1, completion_price: 2 }] }
    const plan = await planOf({ type: "rows", rows: [{ response }] }, config, testEnvironment(datastore, { prices }))
    const [scored] = await scorePlan(plan)
    expect(scored?.outcomes["cost"]?.scores).toEqual({ cost: 3 })
  })

  it("is refused if the table has no price of the model", async () => {
    const prices = { currency: "USD", models: [] }
    const plan = planOf({ type: "rows", rows: [{ response }] }, config, testEnvironment(datastore, { prices }))
    await expect(plan).rejects.toThrow(/'small-1' has no known price: the price table has no price of this model/)
  })
})
