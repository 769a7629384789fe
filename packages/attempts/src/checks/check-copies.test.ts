import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { startFakeInference, type FakeInference, verifies } from "@assay/testkit"
import { type FolderDatastore, openFolderDatastore } from "@assay/evaluation/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import { checkLaunch } from "./check-launch.ts"

let datastore: FolderDatastore
let fake: FakeInference
beforeAll(async () => {
  datastore = await openFolderDatastore()
  fake = await startFakeInference()
})
afterAll(async () => {
  await datastore[Symbol.asyncDispose]()
  await fake.close()
})

/** Returns the warnings of a job that asks `question` and compares the answer with `answer`. */
async function warningsOf(rows: readonly object[], params = {}) {
  await datastore.add("copies", { "rows.jsonl": rows.map((row) => `${JSON.stringify(row)}\n`).join("") })
  const check = { type: "string-check", params: { check: ["{{sample.output_text}}", "equals", "{{item.answer}}"] } }
  const template = { messages: [{ role: "user", content: "{{item.question}}" }] }
  const dataset = { files_url: "assay://datasets/default/copies/rows.jsonl" }
  const qa = { type: "chat-completion", params: { template }, metrics: { check }, dataset }
  const target: EvaluationTargetBody = {
    type: "model",
    model: { api_endpoint: { url: `${fake.url}/v1`, model_id: "chat" } },
  }
  const config: EvaluationConfigBody = { type: "custom", tasks: { qa }, params }
  const options = { signal: new AbortController().signal, isPlan: true }
  const ports = createLaunchPorts(datastore)
  const { failed, warnings } = await checkLaunch({ target, config, namespace: "default" }, ports, options)
  expect(failed).toEqual([])
  return warnings.map(({ message }) => message)
}

describe("copies of rows", () => {
  const copied = Array.from({ length: 200 }, (_, at) => ({ id: at, question: "2+2?", answer: "4" }))

  it(
    "A dataset that repeats one question is a warning, also if each row has an id",
    verifies("launch.copies"),
    async () => {
      const [message] = await warningsOf(copied)
      expect(message).toContain("tasks.qa: 199 rows of 200 repeat another one")
      expect(message).toContain("rows.jsonl line 2 repeats rows.jsonl line 1")
      expect(message).toContain("Only 1 is different")
    },
  )

  it("Rows are copies whatever the order of their keys", async () => {
    const [message] = await warningsOf([
      { question: "2+2?", answer: "4" },
      { answer: "4", question: "2+2?" },
    ])
    expect(message).toContain("1 row of 2 repeats another one")
  })

  it.each<[string, readonly object[], object?]>([
    ["copies that cluster_by counts once", copied.map((row) => ({ ...row, source: "a" })), { cluster_by: "source" }],
    [
      "one copy among 30 rows",
      [...copied.slice(0, 29).map((row, at) => ({ ...row, question: `${at}+1?` })), copied[0] ?? {}],
    ],
    ["rows that differ in a column that is not read", copied.slice(0, 9).map((row, at) => ({ ...row, hint: `${at}` }))],
  ])("%s is no warning", async (_, rows, params) => {
    expect(await warningsOf(rows, params)).toEqual([])
  })

  it("A column with the name of an id counts if the task reads it", async () => {
    const rows = copied.map((row) => ({ ...row, answer: row.id }))
    expect(await warningsOf(rows)).toEqual([])
    const named = copied.map((row, at) => ({ id: at, question: "2+2?", answer: "4", row_index: at }))
    expect(await warningsOf(named)).toHaveLength(1)
  })
})
