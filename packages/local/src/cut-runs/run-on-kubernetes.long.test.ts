import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startLoopbackServer } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readRunState } from "@assay/executors"
import {
  createKubernetesExecutor,
  type Executor,
  type ShardWork,
  startTestCluster,
  type Submission,
  type TestCluster,
} from "@assay/executors/testing"
import { createTestRuns, type TestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import type { LaunchSubject } from "@assay/attempts"

const never = new AbortController().signal
const PROGRAM = [
  process.execPath,
  "--conditions=source",
  fileURLToPath(new URL("../../../../apps/cli/src/main.ts", import.meta.url)),
]
const ROWS = 160
const LATENCY_MS = 60
/** Rows are kept within a second. A machine that is busy takes another one. */
const KEPT_MS = 2000
/** A question of a killed process can arrive after it. The next process needs longer to start. */
const ARRIVED_MS = 500

function shardOf(question: string): number {
  return Math.floor(Number(/\d+/.exec(question)?.[0]) / (ROWS / 8))
}

interface Asked {
  readonly question: string
  readonly at: number
  answeredAt: number
}

/** Starts a model whose answer depends on the question alone. `gates` hold answers back to the rows of a shard after its first half. */
async function startModel() {
  const asked: Asked[] = []
  const gates = new Map<number, PromiseWithResolvers<void>>()
  const server = await startLoopbackServer(async ({ body }, response) => {
    const { messages } = JSON.parse(body.toString()) as { readonly messages: readonly { readonly content: string }[] }
    const question = messages.at(-1)?.content ?? ""
    const entry = { question, at: performance.now(), answeredAt: Infinity }
    asked.push(entry)
    await pause(LATENCY_MS)
    const row = Number(/\d+/.exec(question)?.[0])
    if (row % (ROWS / 8) > ROWS / 16) await gates.get(shardOf(question))?.promise
    entry.answeredAt = performance.now()
    const message = { role: "assistant", content: String(question.length % 3) }
    const choices = [{ index: 0, message, finish_reason: "stop" }]
    const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
    response.writeHead(200, { "content-type": "application/json" })
    response.end(
      JSON.stringify({ id: `answer-${asked.length}`, object: "chat.completion", model: "m", choices, usage }),
    )
  })
  return { ...server, asked, gates }
}

let model: Awaited<ReturnType<typeof startModel>>
let runs: TestRuns
let test: TestCluster
beforeEach(async () => {
  model = await startModel()
  const lines = Array.from({ length: ROWS }, (_, row) => `Question ${row} ${"x".repeat(row % 7)},${row % 3}`)
  runs = createTestRuns({ "rows.csv": `question,reference\n${lines.join("\n")}\n` })
  const env = { PATH: process.env["PATH"] ?? "", HOME: runs.folder }
  test = await startTestCluster({ claims: { runs: runs.folder }, env, folder: runs.folder })
})
afterEach(async () => {
  await test[Symbol.asyncDispose]()
  runs[Symbol.dispose]()
  await model.close()
})

function job(): LaunchSubject {
  return {
    namespace: "default",
    target: { type: "model", model: { api_endpoint: { url: `${model.url}/v1`, model_id: "m" } } },
    config: {
      type: "custom",
      params: { parallelism: 16 },
      tasks: {
        qa: {
          type: "chat-completion",
          dataset: { files_url: "./rows.csv" },
          metrics: { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } },
          params: { template: { messages: [{ role: "user", content: "{{ item.question }}" }] } },
        },
      },
    },
  }
}

/** Reads the results without what is particular to a run. */
function resultsOf(folder: string): object {
  const rows = readFileSync(join(folder, "results/rows.jsonl"), "utf8").trimEnd().split("\n")
  const comparable = rows.map((line) =>
    line.replaceAll(/"latency_ms": ?[\d.]+/g, '"latency_ms":0').replaceAll(/"id": ?"answer-\d+"/g, '"id":""'),
  )
  return { rows: comparable, metrics: readFileSync(join(folder, "results/metrics.csv"), "utf8") }
}

async function untilEnded(executor: Executor, submission: Submission): Promise<void> {
  while ((await executor.look(submission, never)).some(({ state }) => state !== "ended")) await pause(100)
}

describe("a run on Kubernetes", () => {
  it(
    "has the results of one process if pods are killed, the API is away for a time, and missing shards run again",
    { timeout: 180_000 },
    async () => {
      const whole = await runs.runWhole(job(), "whole")
      model.asked.length = 0
      const store = await runs.open("run")
      const plan = await runs.cut(store, job(), { shards: 8, atOnce: 4 })
      const executor = createKubernetesExecutor(
        { ...test.profile, pod_retries: 0, volumes: [{ claim: "runs", path: runs.folder }] },
        test.ports,
      )
      const work: ShardWork = {
        run: store.location,
        id: plan.id,
        name: plan.name,
        count: 8,
        indexes: [0, 1, 2, 3, 4, 5, 6, 7],
        atOnce: plan.at_once,
        program: PROGRAM,
        options: [],
        merges: false,
        retries: 1,
      }
      const first = await executor.submit(work, never)
      const faults: { readonly shard: number; readonly at: number }[] = []
      const kill = async (index: number, how: "crash" | "eviction") => {
        const gate = Promise.withResolvers<void>()
        model.gates.set(index, gate)
        const last = `Question ${(ROWS / 8) * index + ROWS / 16} `
        while (!model.asked.some(({ question, answeredAt }) => question.startsWith(last) && answeredAt < Infinity))
          await pause(10)
        const pods = test.cluster.pods().filter(({ metadata }) => metadata.name.includes(`-1-${index}-`))
        test.cluster.kill(pods.at(-1)?.metadata.name ?? "", how)
        faults.push({ shard: index, at: performance.now() })
        gate.resolve()
      }
      await Promise.all([kill(1, "eviction"), kill(2, "crash")])
      test.cluster.setAway(true)
      await expect(executor.look(first, never)).rejects.toThrow("can't be reached")
      test.cluster.setAway(false)
      await untilEnded(executor, first)

      const state = await readRunState(store)
      const missing = state.shards.filter((shard) => shard.state !== "done").map(({ index }) => index)
      expect(missing).toEqual([2])
      const second = await executor.submit({ ...work, indexes: missing }, never)
      await untilEnded(executor, second)
      expect((await Array.fromAsync(executor.logs(second, 2, never))).join("")).toMatch(
        /Succeeded\nshard 2: \d+ rows\n/,
      )
      await runs.merge(store)
      expect(resultsOf(join(runs.folder, "run"))).toEqual(resultsOf(whole))

      const times = Map.groupBy(model.asked, ({ question }) => question)
      expect(times.size).toBe(ROWS)
      for (const [question, entries] of times) {
        if (entries.length === 1) continue
        const [before] = entries
        const wasLost = faults.some(
          ({ shard, at }) =>
            shard === shardOf(question) &&
            before !== undefined &&
            before.at < at + ARRIVED_MS &&
            before.answeredAt > at - KEPT_MS,
        )
        expect([question, entries.length, wasLost]).toEqual([question, 2, true])
      }
      expect(faults).toHaveLength(2)
    },
  )
})
