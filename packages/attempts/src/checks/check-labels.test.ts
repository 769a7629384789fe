import type { EvaluationConfigBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import { openFolderDatastore, type FolderDatastore } from "@assay/evaluation/testing"
import { checkLaunch } from "./check-launch.ts"

const LABEL = {
  digest: "0".repeat(64),
  metric: "same.string-check",
  label: 1,
  author: null,
  created_at: "2026-11-24T00:00:00.000Z",
  probability: 1,
  job: "eval-1",
  task: "qa",
  row_index: 0,
  repeat: 0,
}

let datastore: FolderDatastore
beforeAll(async () => {
  datastore = await openFolderDatastore()
  const line = `${JSON.stringify(LABEL)}\n`
  await datastore.add("labels", {
    "labels.jsonl": line,
    "old/labels.jsonl": line,
    "broken.jsonl": `${line}{"label":1}\n`,
  })
  await datastore.add("empty", {})
})
afterAll(() => datastore[Symbol.asyncDispose]())

const check = ["{{ item.a }}", "equals", "yes"]
function configWith(labels: readonly string[], type: EvaluationConfigBody["type"] = "custom"): EvaluationConfigBody {
  const metrics = labels.map(
    (one, at) => [`same${at}`, { type: "string-check", params: { check }, labels: one }] as const,
  )
  return { type, tasks: { qa: { type: "data", metrics: Object.fromEntries(metrics) } } }
}

async function failuresOf(config: EvaluationConfigBody): Promise<readonly string[]> {
  const subject = { target: { type: "rows" as const, rows: [{ a: "yes" }] }, config, namespace: "default" }
  const { signal } = new AbortController()
  const { failed } = await checkLaunch(subject, createLaunchPorts(datastore), { signal })
  return failed.filter((one) => one.check === "labels").map(({ code, message }) => `${code} ${message}`)
}

it.each(["labels", "default/labels", "default/empty", "labels#old/labels.jsonl", "assay://datasets/default/labels"])(
  "Labels at %s can be launched with",
  verifies("eval.labels.option"),
  async (labels) => expect(await failuresOf(configWith([labels]))).toEqual([]),
)

it.each([
  ["lables", /^dataset_missing .*near it: 'labels' \(config\.tasks\.qa\.metrics\.same0\.labels\)\.$/],
  ["labels#new.jsonl", /^dataset_missing .*no file is at 'new\.jsonl'/],
  ["labels#broken.jsonl", /^invalid_request .*default\/labels#broken\.jsonl:2 is not a label/],
  ["a/b/c", /^invalid_request .*write <workspace>\/<name>/],
  ["./labels.jsonl", /^invalid_request .*a place on one machine/],
])("Labels at %s refuse the launch", verifies("eval.labels.option"), async (labels, expected) => {
  expect((await failuresOf(configWith([labels])))[0]).toMatch(expected)
})

it("Labels of several metrics are read once, and a fault names all of them", async () => {
  const [only, ...others] = await failuresOf(configWith(["lables", "lables"]))
  expect(others).toEqual([])
  expect(only).toMatch(/\(config\.tasks\.qa\.metrics\.same0\.labels, config\.tasks\.qa\.metrics\.same1\.labels\)\.$/)
})

it("Labels of more than 8 files refuse the launch", async () => {
  const names = Array.from({ length: 9 }, (_, at) => `labels#${at}.jsonl`)
  await datastore.add("labels", Object.fromEntries(names.map((name) => [name.replace("labels#", ""), ""])))
  expect(await failuresOf(configWith(names.slice(1)))).toEqual([])
  expect(await failuresOf(configWith(names))).toEqual([expect.stringMatching(/at most 8 filesets; this one names 9/)])
})

it("Labels of a configuration without scores of metrics refuse the launch", async () => {
  expect(await failuresOf(configWith(["labels"], "content_safety"))).toEqual([
    expect.stringMatching(/'content_safety' has no scores of metrics/),
  ])
})
