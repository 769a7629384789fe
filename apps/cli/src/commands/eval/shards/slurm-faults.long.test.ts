import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { createSlurmExecutor } from "@assay/executors/testing"
import { findSlurm, type LoopbackServer, type SlurmCluster, startLoopbackServer, startSlurm } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

const MAIN = fileURLToPath(new URL("../../../../dist/bundle/main.js", import.meta.url))
const KEY = "sk-only-in-the-environment"
const NEVER = new AbortController().signal

const SHARDS = 8
const ROWS_OF_SHARD = 12
const ROWS = SHARDS * ROWS_OF_SHARD
const LATENCY_MS = 500
/** The rows that a process of a shard can lose, which has one request at a time: those answered in its last second, and the one in flight. */
const LOST_BY_A_KILL = 1000 / LATENCY_MS + 1

interface Model extends LoopbackServer {
  /** How often each row was asked, by its number. */
  readonly asked: number[]
  /** Milliseconds before each answer. */
  latency: number
}

async function startModel(): Promise<Model> {
  const asked = Array.from({ length: ROWS }, () => 0)
  const state = { asked, latency: 0 }
  const server = await startLoopbackServer(async ({ body, headers }, response) => {
    const { model, messages } = JSON.parse(body.toString()) as { model: string; messages: { content: string }[] }
    const row = Number(/\d+/.exec(messages[0]?.content ?? "")?.[0])
    asked[row] = (asked[row] ?? 0) + 1
    await pause(state.latency)
    const message = { role: "assistant", content: row % 4 === 0 ? "other" : `word ${row}` }
    const answer = {
      id: `answer-${row}`,
      object: "chat.completion",
      model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    }
    const status = headers["authorization"] === `Bearer ${KEY}` ? 200 : 401
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  return Object.assign(state, server)
}

const found = findSlurm()
if (!found.isThere) console.warn(`Tests with a real Slurm are skipped: ${found.reason}.`)

describe.skipIf(!found.isThere)("shards on Slurm", () => {
  let cluster: SlurmCluster
  let model: Model
  let folder: TemporaryFolder
  beforeAll(async () => {
    cluster = await startSlurm({ cpus: SHARDS })
    model = await startModel()
    folder = makeTemporaryFolder()
    const lines = Array.from({ length: ROWS }, (_, row) => `word ${row}`)
    folder.write("rows.csv", ["said", ...lines, ""].join("\n"))
    folder.write(
      "eval.yaml",
      `
target: {type: model, model: {api_endpoint: {url: "${model.url}/v1", model_id: echo, api_key_env: MODEL_KEY}}}
config:
  type: custom
  name: echoes
  params: {parallelism: ${SHARDS}}
  tasks:
    say:
      type: chat-completion
      dataset: {files_url: ./rows.csv}
      params: {template: {messages: [{role: user, content: "{{ item.said }}"}]}}
      metrics: {same: {type: string-check, params: {check: ["{{ sample.output_text }}", equals, "{{ item.said }}"]}}}
`,
    )
  })
  afterAll(async () => {
    await cluster.stop()
    await model.close()
    folder[Symbol.dispose]()
  })

  const assay = async (...words: readonly string[]) => {
    const { exitCode, stderr } = await runCommand(["eval", ...words], { cwd: folder.path, env: { MODEL_KEY: KEY } })
    expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  }
  const askedOf = (shard: number) =>
    model.asked.slice(shard * ROWS_OF_SHARD, (shard + 1) * ROWS_OF_SHARD).filter((times) => times > 0).length
  const rowsIn = (name: string) => {
    const text = readFileSync(join(folder.path, name, "results", "rows.jsonl"), "utf8")
    return text.replaceAll(/"latency_ms": ?[\d.]+/g, '"latency_ms":0')
  }
  const scoresIn = (name: string) => readFileSync(join(folder.path, name, "results", "metrics.csv"), "utf8")

  it("have the results of one process after a cancelled task, a killed one, and a node that restarts and crashes", async () => {
    await assay("run", "eval.yaml", "--out", "whole", "--skip-checks")
    model.asked.fill(0)
    model.latency = LATENCY_MS
    await assay("cut", "eval.yaml", "--shards", String(SHARDS), "--out", "run", "--skip-checks")
    const run = join(folder.path, "run")
    const env = { ...process.env, ...cluster.env, MODEL_KEY: KEY }
    const executor = createSlurmExecutor(
      { pass_environment: ["MODEL_KEY"] },
      { cwd: folder.path, env, sleep: async () => {} },
    )
    const work = {
      run,
      id: "eval-1",
      name: "echoes",
      count: SHARDS,
      indexes: [...Array(SHARDS).keys()],
      atOnce: SHARDS,
      program: [process.execPath, MAIN],
      options: [],
      merges: false,
      retries: 0,
    }
    const submission = await executor.submit(work, NEVER)
    const states = async (of: typeof submission) => (await executor.look(of, NEVER)).map(({ state }) => state)

    await expect.poll(() => Math.min(askedOf(1), askedOf(2)), { timeout: 40_000 }).toBeGreaterThan(2)
    execFileSync("scancel", [`${submission.ids[0]}_1`], { env })
    process.kill(findTask(cluster, 2), "SIGKILL")
    await cluster.stopNode()
    await cluster.startNode()
    await expect.poll(() => Math.min(askedOf(0), askedOf(3)), { timeout: 40_000 }).toBeGreaterThan(6)
    await cluster.crashNode()
    await cluster.startNode()
    const allEnded = work.indexes.map(() => "ended")
    await expect.poll(() => states(submission), { timeout: 60_000 }).toEqual(allEnded)

    const done = new Set(readdirSync(join(run, "done")).map((name) => Number.parseInt(name, 10)))
    const missing = work.indexes.filter((index) => !done.has(index))
    expect(missing).toEqual([1, 2])
    expect((await Array.fromAsync(executor.logs(submission, 0, NEVER))).join("")).toContain("start 2, on node1")
    const again = await executor.submit({ ...work, indexes: missing }, NEVER)
    await expect.poll(() => states(again), { timeout: 40_000 }).toEqual(["ended", "ended"])
    await assay("merge", "run")

    expect(scoresIn("run")).toBe(scoresIn("whole"))
    expect(rowsIn("run")).toBe(rowsIn("whole"))
    const twice = model.asked.reduce((sum, times) => sum + times - 1, 0)
    expect(twice).toBeGreaterThan(0)
    expect(twice).toBeLessThanOrEqual(SHARDS * LOST_BY_A_KILL)
  }, 180_000)
})

/** Returns the process of a task of an array. Slurm's processes of it have other variables. */
function findTask({ env }: SlurmCluster, index: number): number {
  const wanted = [`SLURM_CONF=${env["SLURM_CONF"]}`, `SLURM_ARRAY_TASK_ID=${index}`]
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const variables = new Set(readVariables(pid))
    if (wanted.every((variable) => variables.has(variable))) return Number(pid)
  }
  throw new Error(`Task ${index} does not run.`)
}

function readVariables(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")
  } catch {
    // It has ended.
    return []
  }
}
