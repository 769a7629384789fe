import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { earlyGates } from "@assay/evaluation"
import { rowOrder } from "@assay/results"
import { rowOf } from "@assay/results/testing"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { callJobs, type HeldModel, JOBS, MODEL_KEY, PROGRAM, startHeldModel } from "../../../testing/executor-jobs.ts"
import { runCommand } from "../../../testing/run-command.ts"
import { startServer } from "../../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

const ROWS = 3000

let model: HeldModel
let folder: TemporaryFolder
beforeAll(async () => {
  model = await startHeldModel()
})
afterAll(() => model.close())
beforeEach(() => {
  folder = makeTemporaryFolder()
  model.isHeld = () => false
  return () => folder[Symbol.dispose]()
})

const timesAsked = () => [...model.asked.values()].reduce((sum, times) => sum + times, 0)
const isRight = (row: number) => row % 10 !== 0
const read = (path: string) => JSON.parse(readFileSync(join(folder.path, path), "utf8"))
const assay = (words: readonly string[]) =>
  runCommand(["eval", ...words], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"], MODEL_KEY },
    program: PROGRAM,
    sleep: (milliseconds, signal) => sleep(Math.min(milliseconds, 100), undefined, { signal }),
  })

/** Returns after how many rows one process with the same id decides that nine of ten right answers are at least eight. */
function decidedAfter(id: string): number | null | undefined {
  const about = { task: "t", metric: "m", score: "s", limit: { atLeast: 0.8 }, alpha: 0.05, range: [0, 1] } as const
  const flags = { isEarly: true, isCorrected: false, isOnTheseRows: false, higherIsBetter: true }
  const gate = { name: "gate", scoreName: "gate", ...about, ...flags }
  const order = rowOrder.create(ROWS, rowOrder.seedOf(id))
  const watch = earlyGates.createWatch({ metrics: [], repeats: 1 }, [gate], { order, references: new Map() }, () => {})
  const rows = Array.from({ length: ROWS }, (_, row) => row)
  for (const row of rows) watch.add(rowOf(row, { m: { s: Number(isRight(row)) } }))
  return watch.states()[0]?.decided_after
}

function pidOf(...words: readonly string[]): number | undefined {
  const found = readdirSync("/proc").find((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") : []
      return words.every((word) => line.some((part) => part.includes(word)))
    } catch {
      return false
    }
  })
  return found === undefined ? undefined : Number(found)
}

describe("early gates on an engine", () => {
  it(
    "end a run on processes of this machine, one of which is killed, after the rows of one process",
    { ...verifies("units.gates"), timeout: 120_000 },
    async () => {
      const lines = Array.from({ length: ROWS }, (_, row) => `word ${row},${isRight(row) ? `word ${row}` : "other"}`)
      folder.write("rows.csv", ["said,label", ...lines, ""].join("\n"))
      folder.write(
        "eval.yaml",
        `name: words
model: {url: "${model.url}/v1", model: echo, key: MODEL_KEY}
data: rows.csv
prompt: "{{ said }}"
checks: [{exact-match: "{{ label }}"}]
parallel: 8
`,
      )
      let most = 40
      model.isHeld = () => model.asked.size > most
      const words = ["--executor", "local", "--shards", "6", "--at-once", "4", "--out", "out"]
      const running = assay([
        "run",
        "eval.yaml",
        "--skip-checks",
        "--gate",
        "exact-match>=0.8",
        "--stop-early",
        ...words,
      ])
      await expect.poll(() => model.asked.size, { timeout: 60_000 }).toBeGreaterThan(40)
      const pid = pidOf(join(folder.path, "out"), "shard", "--index")
      expect(pid).toBeDefined()
      const before = timesAsked()
      process.kill(pid ?? 0, "SIGKILL")
      // The next process of the shard asks again what was in flight. Meanwhile no answer comes, so that the other shards wait for its rows.
      await expect.poll(timesAsked, { timeout: 60_000 }).toBeGreaterThan(before)
      // About 200 rows in a second.
      const faster = setInterval(() => (most += 10), 50)
      const { exitCode, stdout, stderr } = await running
      clearInterval(faster)
      expect(stderr).toContain(
        "Task answers ended early: all of its gates are decided. Its other rows are not asked.\n",
      )
      expect([exitCode, stdout]).toEqual([
        0,
        expect.stringMatching(/\nPASS after [\d,]+ of 3,000 rows; \d\d\.\d % of the calls saved/),
      ])
      expect(model.asked.size).toBeLessThan(ROWS / 2)
      const { id, gates } = read("out/config/job.json")
      expect(gates).toMatchObject([{ verdict: "PASS", stop: "early", decided_after: decidedAfter(id) }])
      const status = await assay(["status", "./out"])
      expect(status.stdout).toMatch(/^ended early by gates: answers\n\d of 6 shards done, 0 running, 0 waiting/m)
      const json = JSON.parse((await assay(["status", "./out", "--json"])).stdout)
      expect(json).toMatchObject({ status: "COMPLETED", ended_early: ["answers"] })
    },
  )

  it("end a job of a server on its executor", async () => {
    const place = join(folder.path, "place")
    const profile = `{executor: local, place: ${place}, program: ${JSON.stringify(PROGRAM)}, shards: 2, retries: 0}`
    folder.write("executors.yaml", `profiles:\n  here: ${profile}\n`)
    const server = await startServer({ ASSAY_EXECUTORS: join(folder.path, "executors.yaml") })
    try {
      const jobs = callJobs(server, model)
      await jobs.prepare()
      const before = timesAsked()
      model.isHeld = () => true
      // One row that is right decides it.
      const gates = [{ task: "words", metric: "same", op: ">=", value: 0.05, stop: "early" }]
      const { id } = await jobs.launch({ executor: "here", parallelism: 2, gates })
      // Both shards wait for their first answer. Later ones wait again.
      await expect.poll(() => timesAsked() - before, { timeout: 60_000 }).toBe(2)
      model.isHeld = () => timesAsked() - before > 6
      const decisions = () => existsSync(join(place, "default", id, "gates", "0.json"))
      await expect.poll(decisions, { timeout: 60_000 }).toBe(true)
      // Both shards look for it meanwhile.
      await sleep(2000)
      model.isHeld = () => false
      const job = await jobs.endOf(id)
      expect(job.status).toBe("COMPLETED")
      expect(job.status_details).toMatchObject({
        message: expect.stringMatching(/^PASS after \d+ of 12 rows/),
        stopped_early: { rows_total: 12 },
        gates: [{ verdict: "PASS", stop: "early", decided_after: expect.any(Number) }],
      })
      expect(job.status_details.samples_processed).toBeLessThan(12)
      const { counts } = await jobs.call("GET", `${JOBS}/${id}/shards`)
      expect(counts.done + counts.stopped).toBe(2)
    } finally {
      await server.stop()
    }
  }, 120_000)
})
