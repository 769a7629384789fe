import type { EvaluationConfigBody } from "@assay/schemas"
import { startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { JobScope } from "./runnable-job.ts"
import { openFolderDatastore } from "../testing/folder-datastore.ts"
import { planOf } from "../testing/plan-of.ts"
import { createRunner } from "../testing/create-runner.ts"
import { testEnvironment } from "../testing/test-environment.ts"
import { planJob } from "./plan-job.ts"

const ROWS = [
  { prompt: "a", ideal_response: "one two three four", output: "one two three four" },
  { prompt: "b", ideal_response: "five six seven eight", output: "five six seven nine" },
]

describe("a planned job", () => {
  it("has scores of single rows and of all rows together", verifies("metric.bleu"), async () => {
    const plan = await planOf({ type: "rows", rows: ROWS }, { type: "similarity_metrics" })
    const { tasks } = await createRunner()(plan)
    const { bleu, em } = tasks[0]?.metrics ?? {}
    expect(em?.["em_score"]).toMatchObject({ value: 0.5, counts: { scored: 2, unreadable: 0, errored: 0, skipped: 0 } })
    expect(bleu?.["corpus"]).toMatchObject({
      stats: null,
      value: expect.closeTo(100 * ((7 / 8) * (5 / 6) * (3 / 4) * (1 / 2)) ** (1 / 4)) as number,
    })
  })

  it("gets new scores without its target and its dataset", verifies("eval.score"), async () => {
    const server = await startFakeInference()
    await using datastore = await openFolderDatastore()
    await datastore.add("rows", { "rows.jsonl": ROWS.map((row) => `${JSON.stringify(row)}\n`).join("") })
    const target = { type: "model", model: { api_endpoint: { url: server.url, model_id: "echo" } } } as const
    const config: EvaluationConfigBody = {
      type: "custom",
      tasks: {
        qa: { params: { template: "{{ item.output }}" }, dataset: "default/rows", metrics: { t: { type: "tokens" } } },
      },
    }
    const run = createRunner()
    await run(await planOf(target, config, testEnvironment(datastore)))
    await server.close()
    const metrics = { em: { type: "em", params: { ground_truth: "{{ item.ideal_response }}" } } }
    const scope: JobScope = { kind: "score", metrics: { qa: metrics } }
    const plan = await planJob({ target, config, namespace: "default", scope }, testEnvironment(), {
      signal: new AbortController().signal,
    })
    const { tasks, end } = await run(plan, { job: { attempt: 2, scope } })
    expect(end).toEqual({ kind: "finished" })
    expect(tasks[0]?.metrics["em"]?.["em_score"]).toMatchObject({ value: 0.5, counts: { scored: 2, skipped: 0 } })
  })

  it("keeps its default metrics when others are added", verifies("eval.score"), async () => {
    const target = { type: "rows", rows: ROWS } as const
    const config: EvaluationConfigBody = { type: "similarity_metrics" }
    const scope: JobScope = { kind: "score", metrics: { default: { chrf: { type: "chrf" } } } }
    const run = createRunner()
    await run(await planOf(target, config))
    const plan = await planJob({ target, config, namespace: "default", scope }, testEnvironment(), {
      signal: new AbortController().signal,
    })
    const { tasks } = await run(plan, { job: { attempt: 2, scope } })
    expect(Object.keys(tasks[0]?.metrics ?? {})).toEqual(["accuracy", "bleu", "rouge", "em", "f1", "chrf"])
    expect(tasks[0]?.metrics["em"]?.["em_score"]?.value).toBe(0.5)
    expect(tasks[0]?.metrics["chrf"]?.["chrf"]?.counts.scored).toBe(2)
  })

  it(
    "counts a score that does not apply to a row neither as wrong nor as missing",
    verifies("metric.content-safety"),
    async () => {
      const server = await startFakeInference({ models: { guard: () => ({ content: "no" }) } })
      const models = [{ type: "main", url: server.url, model: "guard" }]
      const guardrail = { models, rails: { input: { flows: ["self check input"] } } }
      const rows = [
        { prompt: "a", label: "safe" },
        { prompt: "b", label: "unsafe" },
        { prompt: "c", label: "unsafe" },
        { prompt: "d", label: "?" },
      ]
      const plan = await planOf(
        { type: "rows", rows },
        { type: "content_safety", params: { max_failed_share: 0.5 }, tasks: { s: { params: { guardrail } } } },
      )
      const { tasks } = await createRunner()(plan)
      await server.close()
      expect(tasks[0]?.metrics["content_safety"]).toMatchObject({
        false_block: { value: 0, counts: { scored: 1, unreadable: 0, errored: 1, skipped: 0 } },
        miss: { value: 1, counts: { scored: 2, unreadable: 0, errored: 1, skipped: 0 } },
      })
    },
  )
})
