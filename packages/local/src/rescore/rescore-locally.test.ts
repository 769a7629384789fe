import { mkdtempDisposableSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationConfigBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { beforeEach, describe, expect, it } from "vitest"
import { localTestPorts } from "../testing/local-test-ports.ts"
import { readJobToCompare, readResultsFolder } from "../runs/results-folder.ts"
import { runLocally } from "../run-locally.ts"
import { readFileRun } from "../runs/run-record.ts"
import { rescoreLocally } from "./rescore-locally.ts"

let root: DisposableTempDir
let fake: FakeInference
let answered = 0
let onJudged: () => unknown = () => {}
beforeEach(async () => {
  root = mkdtempDisposableSync(join(tmpdir(), "assay-rescore-"))
  answered = 0
  onJudged = () => {}
  const judge = () => {
    onJudged()
    return { content: '{"good": 1}' }
  }
  const target = () => ({ content: `answer ${++answered}` })
  fake = await startFakeInference({ models: { target, judge } })
  fake.faults.add({
    when: ({ chat }) => JSON.stringify(chat).includes("refused"),
    fault: { kind: "answer", status: 400, body: { error: { message: "No." } } },
  })
  return async () => {
    await fake.close()
    root.remove()
  }
})

const rows = ["a", "refused", "c"].map((question) => ({ question }))
const listener = { onProgress: () => {}, onLog: () => {}, onRowsDone: () => {} }
const { signal } = new AbortController()
const endpoint = (model_id: string) => ({ api_endpoint: { url: `${fake.url}/v1`, model_id } })

/** Asks three rows twice, of which one is refused. */
async function runBefore(): Promise<string> {
  const metrics = { short: { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "1"] } } }
  const task = { dataset: { rows }, params: { repeats: 2, template: { prompt: "{{ item.question }}" } }, metrics }
  const params = { parallelism: 1, max_failed_share: 0.5 }
  return runOf({ type: "custom", params, tasks: { qa: task } })
}

/** Holds conversations of two turns about two rows, whose checks look for `text`. */
function conversation(text: string): EvaluationConfigBody {
  const check = {
    contains: { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", text] } },
  }
  const turns = [
    { user: "{{ item.question }}", metrics: check },
    { user: "And then?", metrics: check },
  ]
  const metrics = { never: { type: "calls", params: { never: "cancel" } } }
  const task = {
    type: "conversation",
    dataset: { rows: rows.slice(0, 1) },
    params: { conversation: { turns } },
    metrics,
  }
  return { type: "custom", params: { parallelism: 1, cache: false }, tasks: { qa: task } }
}

async function runOf(config: EvaluationConfigBody): Promise<string> {
  const { folder } = await runLocally(localTestPorts(root.path), {
    job: {
      namespace: "default",
      target: { type: "model", model: endpoint("target") },
      config,
    },
    name: "before",
    file: null,
    overrides: {},
    folder: root.path,
    dataFolder: join(root.path, "runs"),
    out: undefined,
    gates: [],
    skipChecks: true,
    fresh: false,
    listener: {
      ...listener,
      onWarnings: () => {},
      onEstimate: () => {},
      onResumed: () => {},
      onOtherInterrupted: () => {},
    },
    signal,
  })
  return folder
}

function rescore(source: string, config: EvaluationConfigBody, more: { readonly signal?: AbortSignal } = {}) {
  return rescoreLocally(localTestPorts(root.path), {
    source,
    name: "./before",
    config,
    gates: [],
    file: join(root.path, "eval.yaml"),
    folder: root.path,
    out: join(root.path, "rescored"),
    overwrite: false,
    listener,
    signal,
    ...more,
  })
}

const judged = (): EvaluationConfigBody => ({
  type: "custom",
  params: { parallelism: 1, gates: [{ task: "answers", metric: "good", op: ">=", value: 0.5, stop: "early" }] },
  tasks: {
    answers: {
      type: "chat-completion",
      metrics: {
        good: {
          type: "llm-judge",
          params: { model: endpoint("judge"), template: "{{ sample.output_text }}", scores: { good: { type: "int" } } },
        },
        two: { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "2"] } },
      },
    },
  },
})

describe("scoring stored outputs again", () => {
  it(
    "asks the judge alone, about each output of each repeat, and keeps the errors of rows",
    verifies("eval.rescore"),
    async () => {
      const source = await runBefore()
      const before = await readResultsFolder(source, source)
      const asked = fake.requests.length
      const found = await rescore(source, judged())
      expect(found).toMatchObject({ kind: "scored", attempt: { outcome: { status: "COMPLETED" } } })
      const models = fake.requests.slice(asked).map(({ chat }) => chat?.["model"])
      expect(models).toEqual(Array(4).fill("judge"))
      const { job, result } = await readResultsFolder(join(root.path, "rescored"), "./rescored")
      expect([job, result]).toEqual(Array(2).fill(expect.objectContaining({ rescored_from: before.job.id })))
      expect(job.gates).toMatchObject([{ name: "answers.good.good", stop: "never" }])
      const { scores } = result.tasks["answers"]?.metrics["two"] ?? { scores: {} }
      expect(scores["string-check"]).toMatchObject({ value: 0.25, stats: { scored: 4, errored: 2 } })
      const lines = await Array.fromAsync((await readJobToCompare(join(root.path, "rescored"), "r")).rows())
      const codes = lines.flat().map(({ row_index, repeat, error }) => [row_index, repeat, error?.code ?? null])
      expect(codes).toHaveLength(6)
      expect(codes.filter(([row]) => row === 1)).toEqual([
        [1, 0, "bad_response"],
        [1, 1, "bad_response"],
      ])
    },
  )

  it("scores the turns of conversations, which have the same identities as those of a run", async () => {
    const source = await runOf(conversation("answer 1"))
    await rescore(source, conversation("answer 2"))
    const { result } = await readResultsFolder(join(root.path, "rescored"), "./rescored")
    const run = await runOf(conversation("answer 2"))
    const { result: other } = await readResultsFolder(run, "./run")
    const identities = ({ tasks }: typeof result) =>
      Object.entries(tasks["qa"]?.metrics ?? {}).map(([key, { scores }]) => [key, Object.values(scores)[0]?.identity])
    expect(identities(result)).toEqual(identities(other))
    const values = Object.entries(result.tasks["qa"]?.metrics ?? {}).map(([key, { scores }]) => [
      key,
      Object.values(scores)[0]?.value,
    ])
    expect(values).toEqual([
      ["contains", 0.5],
      ["contains@1", 0],
      ["contains@2", 1],
      ["never", 1],
    ])
    const single = await runBefore()
    await expect(rescore(single, conversation("answer 2"))).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("have no turns"),
    })
  })

  it("has failed if the earlier job ended before it had asked all rows, so that nothing takes its scores for a verdict", async () => {
    fake.faults.add({
      when: ({ chat }) => JSON.stringify(chat).includes("locked"),
      fault: { kind: "answer", status: 401, body: { error: { message: "No key." } } },
    })
    const { good: _good, ...metrics } = judged().tasks?.["answers"]?.metrics ?? {}
    const config = (dataset: object): EvaluationConfigBody => ({
      type: "custom",
      params: { parallelism: 1, max_failed_share: 0.9 },
      tasks: { answers: { type: "chat-completion", ...dataset, metrics } },
    })
    const dataset = { rows: ["a", "locked", "c", "d"].map((question) => ({ question })) }
    const source = await runOf(config({ dataset, params: { template: { prompt: "{{ item.question }}" } } }))
    const { job } = await readResultsFolder(source, source)
    expect([job.status, job.units]).toEqual(["FAILED", { answers: 4 }])
    expect(await rescore(source, config({}))).toMatchObject({
      attempt: { outcome: { status: "FAILED", message: expect.stringContaining("FAILED with 2 of its 4 answers") } },
    })
    const again = await rescore(source, config({}))
    expect(again).toMatchObject({ kind: "done", results: { job: { status: "FAILED" } } })
  })

  it("continues after it was stopped, and leaves results that exist", verifies("eval.rescore"), async () => {
    const source = await runBefore()
    const config = judged()
    const asked = () => fake.requests.filter(({ chat }) => chat?.["model"] === "judge").length
    const stop = new AbortController()
    onJudged = () => asked() === 2 && stop.abort()
    expect(await rescore(source, config, { signal: stop.signal })).toMatchObject({ attempt: { isInterrupted: true } })
    onJudged = () => {}
    const known = asked()
    expect(await rescore(source, config)).toMatchObject({ attempt: { outcome: { status: "COMPLETED" } } })
    // The request that was stopped is sent again.
    expect([known, asked()]).toEqual([2, 5])
    expect(await rescore(source, config)).toMatchObject({ kind: "done" })
    expect(asked()).toBe(5)
  })

  it("refuses tasks that the job does not have, and metrics with faults", verifies("eval.rescore"), async () => {
    const source = await runBefore()
    const { tasks = {} } = judged()
    const two = { ...judged(), params: {}, tasks: { ...tasks, other: tasks["answers"] ?? {} } }
    await expect(rescore(source, two)).rejects.toThrow("the job whose outputs are scored has 'qa'")
    const faulty = { type: "custom", tasks: { qa: { metrics: { x: { type: "bleuu" } } } } } as const
    await expect(rescore(source, faulty)).rejects.toThrow("did you mean 'bleu'")
    await expect(rescore(source, { type: "benchmark" })).rejects.toThrow("'benchmark'")
  })

  it("is not resumed as a run, which would ask the target", verifies("eval.rescore"), async () => {
    await rescore(await runBefore(), {
      type: "custom",
      tasks: { qa: { metrics: judged().tasks?.["answers"]?.metrics ?? {} } },
    })
    await expect(readFileRun(join(root.path, "rescored"), "./rescored")).rejects.toThrow("assay eval rescore")
  })
})
