import { existsSync, readdirSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import {
  callJobs,
  type HeldModel,
  type JobCalls,
  JOBS,
  MODEL_KEY,
  PROGRAM,
  startHeldModel,
} from "../../../testing/executor-jobs.ts"
import { runCommand } from "../../../testing/run-command.ts"
import { startServer, type TestServer } from "../../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

let model: HeldModel
let folder: TemporaryFolder
let server: TestServer
let jobs: JobCalls
beforeAll(async () => {
  model = await startHeldModel()
  folder = makeTemporaryFolder()
  const place = join(folder.path, "place")
  folder.write(
    "executors.yaml",
    `profiles:
  here: {executor: local, place: ${place}, program: ${JSON.stringify(PROGRAM)}, shards: 2, retries: 0}
  pods: {executor: kubernetes, place: ${place}, image: assay}
  gone: {executor: slurm, place: ${place}, program: [assay]}
  command-line: {executor: local}
`,
  )
  // One job at a time, so that a job that waits for its shards must not hold the slot.
  server = await startServer({ ASSAY_EXECUTORS: join(folder.path, "executors.yaml"), ASSAY_WORKER_JOBS: "1" })
  jobs = callJobs(server, model)
  await jobs.prepare()
})
beforeEach(() => {
  model.isHeld = () => false
  model.isRefused = () => false
})
afterAll(async () => {
  await server.stop()
  await model.close()
  folder[Symbol.dispose]()
})

const runOf = (id: string) => join(folder.path, "place/default", id)
const timesAsked = () => [...model.asked.values()].reduce((sum, times) => sum + times, 0)
const rowsOf = async (id: string) => {
  const { data } = await jobs.call("GET", `${JOBS}/${id}/rows`)
  return data.map((row: object) => ({ ...row, latency_ms: 0 }))
}
/** Returns the number of attempts at each row. */
const attemptsOf = (id: string) =>
  Promise.all(
    Array.from({ length: 12 }, async (_, row) => {
      const { attempts } = await jobs.call("GET", `${JOBS}/${id}/rows/words/${row}`)
      return attempts.length
    }),
  )
/** Returns what a job has found, without its times. */
const withoutTimes = ({ status_details, conditions }: { status_details: object; conditions: readonly object[] }) => ({
  details: { ...status_details, tasks: undefined },
  conditions: conditions.map((one) => ({ ...one, first_seen: "", last_seen: "" })),
})
const refusalOf = async (...launched: Parameters<JobCalls["launch"]>) => JSON.stringify(await jobs.launch(...launched))

describe("a job of a server on an executor", () => {
  it(
    "is asked by processes of the executor, and has the results of a job of the server",
    verifies("eval.executor.results", "eval.executor.keys"),
    async () => {
      const gates = [{ task: "words", metric: "same", op: ">=", value: 0.9 }]
      const params = { repeats: 2, limit_samples: 9, slices: ["label"], gates, max_failed_share: 0.5 }
      model.isRefused = (text) => text === "word 4"
      const whole = await jobs.endOf((await jobs.launch(params)).id)
      const before = timesAsked()
      const { id } = await jobs.launch({ ...params, executor: "here" })
      const job = await jobs.endOf(id)
      expect(job).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 18, samples_failed: 2 } })
      expect(withoutTimes(job)).toEqual(withoutTimes(whole))
      expect(timesAsked() - before).toBe(18)
      const scoresOf = async (one: { id: string }) => (await jobs.call("GET", `${JOBS}/${one.id}/results`)).tasks
      expect(await scoresOf(job)).toEqual(await scoresOf(whole))
      expect(await rowsOf(id)).toEqual(await rowsOf(whole.id))
      const files = readdirSync(runOf(id), { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"))
      expect(JSON.parse(readFileSync(join(runOf(id), "plan.json"), "utf8")).shards).toHaveLength(2)
      expect(texts.some((text) => text.includes("MODEL_KEY_DEFAULT__MODEL_2DKEY"))).toBe(true)
      expect(texts.filter((text) => text.includes(MODEL_KEY))).toEqual([])
      await jobs.call("DELETE", `${JOBS}/${id}?permanent=true`)
      expect(existsSync(runOf(id))).toBe(false)
    },
  )

  it("stops its shards when it is cancelled, leaves the slot to other jobs, and asks only missing rows when it is resumed", async () => {
    model.isHeld = (text) => text === "word 11"
    const before = timesAsked()
    const { id } = await jobs.launch({ executor: "here" })
    await expect.poll(() => timesAsked() - before, { timeout: 20_000 }).toBe(12)
    // The first shard publishes its rows.
    await expect.poll(() => existsSync(join(runOf(id), "done/00000.json")), { timeout: 20_000 }).toBe(true)
    expect((await jobs.endOf((await jobs.launch({ limit_samples: 1 })).id)).status).toBe("COMPLETED")
    await jobs.call("POST", `${JOBS}/${id}/cancel`)
    // The second shard has stored five rows, and has not published them.
    expect(await jobs.endOf(id)).toMatchObject({ status: "CANCELLED", status_details: { samples_processed: 11 } })
    expect(await rowsOf(id)).toHaveLength(11)
    model.isHeld = () => false
    const asked = timesAsked()
    expect((await jobs.call("GET", `${JOBS}/${id}/shards`)).counts).toEqual({
      waiting: 1,
      running: 0,
      failed: 0,
      stopped: 0,
      done: 1,
    })
    await jobs.call("POST", `${JOBS}/${id}/resume`)
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 12 } })
    expect(timesAsked() - asked).toBe(1)
    expect(await rowsOf(id)).toHaveLength(12)
    expect(await attemptsOf(id)).toEqual(Array(12).fill(1))
  })

  it("asks failed rows again on its executor, and no others", verifies("eval.shards.page"), async () => {
    model.isRefused = (text) => text === "word 3"
    const { id } = await jobs.launch({ executor: "here", max_failed_share: 0.5 })
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_failed: 1 } })
    const { data, ...about } = await jobs.call("GET", `${JOBS}/${id}/shards`)
    expect(about).toMatchObject({ executor: "here", run: runOf(id), total: 2, counts: { done: 2 }, next_offset: null })
    expect(data[0]).toMatchObject({ index: 0, state: "done", rows: 6, processed: 6, failed: 1, location: hostname() })
    const env = { ASSAY_URL: server.url }
    const status = await runCommand(["eval", "status", id], { env })
    expect(status.stdout).toContain("2 of 2 shards done on here, 0 running, 0 waiting\n")
    const logs = await runCommand(["eval", "logs", id, "--shard", "1"], { env })
    expect(logs.stdout).toMatch(/==> 00001-1.log <==\n[^]*shard 1: 6 rows/)
    expect((await runCommand(["eval", "logs", id, "--shard", "2"], { env })).stderr).toContain("has the shards 0 to 1")
    model.isRefused = () => false
    const before = timesAsked()
    await jobs.call("POST", `${JOBS}/${id}/retry-failed`)
    expect(await jobs.endOf(id)).toMatchObject({
      status: "COMPLETED",
      status_details: { samples_processed: 12, samples_failed: 0 },
    })
    expect(timesAsked() - before).toBe(1)
    expect((await rowsOf(id)).filter((row: { error: unknown }) => row.error !== null)).toEqual([])
    expect(await attemptsOf(id)).toEqual([1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1])
  })

  it("shows shards as stopped that ended early because too many rows had failed", async () => {
    model.isRefused = () => true
    // The last shard still asks when it sees that the first ones had too many failures.
    model.isHeld = (text) => text === "word 11"
    const { id } = await jobs.launch({ executor: "here", at_once: 1, shards: 3, max_failed_share: 0 })
    expect((await jobs.endOf(id)).status).toBe("FAILED")
    const { data, counts } = await jobs.call("GET", `${JOBS}/${id}/shards`)
    expect(data[2]).toMatchObject({ state: "stopped", rows: 4 })
    expect(data[2].processed).toBe(3)
    expect(counts.done + counts.stopped).toBe(3)
    const served = await runCommand(["eval", "status", id], { env: { ASSAY_URL: server.url } })
    expect(served.stdout).toContain(`waiting, ${counts.stopped} stopped\n`)
    const local = await runCommand(["eval", "status", runOf(id)], { cwd: folder.path })
    expect(local.stdout).toContain(`${counts.done} of 3 shards done, 0 running, 0 waiting, ${counts.stopped} stopped`)
  })

  it("fails with the words of the engine if that can't take its shards", async () => {
    const job = await jobs.endOf((await jobs.launch({ executor: "gone" })).id)
    expect(job).toMatchObject({ status: "FAILED", conditions: [{ code: "executor_failed" }] })
    expect(job.conditions[0].message).toMatch(/sbatch|scontrol|Slurm/)
  })

  it("fails with the condition that its shards have found", async () => {
    const job = await jobs.endOf((await jobs.launch({ executor: "here" }, {})).id)
    expect(job).toMatchObject({ status: "FAILED", conditions: [{ code: "inference_unauthorized" }] })
  })

  it.each([
    [{ executor: "hre" }, "This server has no executor 'hre', only: here, pods, gone."],
    [{ executor: "command-line" }, "has no executor 'command-line'"],
    [{ shards: 3 }, "'shards' needs an 'executor' beside it"],
    [{ executor: "pods" }, "its profile needs 'MODEL_KEY_DEFAULT__MODEL_2DKEY' in 'secret_environment'"],
  ])("is refused before it begins: %j", verifies("eval.executor.refused"), async (params, message) => {
    expect(await refusalOf(params)).toContain(message)
  })

  it("is refused if it names variables of its processes or an address that the server may not ask, or if its workspace has a budget", async () => {
    expect(await refusalOf({ executor: "here" }, { api_key_env: "AWS_SECRET_ACCESS_KEY" })).toContain(
      "names a variable",
    )
    const inner = { url: "http://169.254.169.254/v1" }
    expect(await refusalOf({ executor: "here" }, inner)).toContain("host_not_allowed")
    await jobs.call("PUT", "/apis/entities/v2/workspaces/default/budget", { max_requests: 1000 })
    expect(await refusalOf({ executor: "here" })).toContain("has a budget")
    await jobs.call("PUT", "/apis/entities/v2/workspaces/default/budget", {})
  })
})

describe("assay eval run of a file that names an executor", () => {
  it("runs it by the profile of that name, unless the command line names another one", async () => {
    using home = makeTemporaryFolder()
    home.write("rows.csv", "said\none\ntwo\nthree\n")
    const word = `{url: "${model.url}/v1", model: echo, key: CHAT_KEY}`
    const text = `model: ${word}\ndata: rows.csv\nprompt: "{{ said }}"\nchecks: [{exact-match: "{{ said }}"}]\n`
    home.write("eval.yaml", `${text}executor: here\nshards: 3\n`)
    const env = { PATH: process.env["PATH"], CHAT_KEY: MODEL_KEY, ASSAY_EXECUTORS: join(folder.path, "executors.yaml") }
    const wait = (milliseconds: number) => sleep(milliseconds)
    const run = (...words: string[]) =>
      runCommand(["eval", "run", "eval.yaml", "--skip-checks", ...words], {
        cwd: home.path,
        env,
        program: PROGRAM,
        sleep: wait,
      })
    expect((await run("--out", "named")).exitCode).toBe(0)
    const shardsOf = (out: string) => JSON.parse(readFileSync(join(home.path, out, "plan.json"), "utf8")).shards.length
    expect(shardsOf("named")).toBe(3)
    expect((await run("--executor", "local", "--shards", "1", "--out", "other")).exitCode).toBe(0)
    expect(shardsOf("other")).toBe(1)
  })
})

describe("a server with executors", () => {
  it("keeps the runs of jobs in a bucket, until the job is deleted", async () => {
    const store = await startFakeObjstore()
    onTestFinished(() => store.close())
    const credentials = { AWS_ACCESS_KEY_ID: store.accessKeyId, AWS_SECRET_ACCESS_KEY: store.secretAccessKey }
    const aws = { AWS_ENDPOINT_URL: store.endpoint, AWS_REGION: store.region, ...credentials }
    for (const [name, value] of Object.entries(aws)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    using home = makeTemporaryFolder()
    const profile = { executor: "local", place: `s3://${store.bucket}/runs/`, program: PROGRAM, shards: 2 }
    home.write("executors.yaml", JSON.stringify({ profiles: { bucket: profile } }))
    const own = await startServer({ ASSAY_EXECUTORS: join(home.path, "executors.yaml") })
    onTestFinished(async () => void (await own.stop()))
    const calls = callJobs(own, model)
    await calls.prepare()
    const { id } = await calls.launch({ executor: "bucket" })
    expect(await calls.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 12 } })
    const { run, counts } = await calls.call("GET", `${JOBS}/${id}/shards`)
    expect([run, counts.done]).toEqual([`s3://${store.bucket}/runs/default/${id}`, 2])
    expect(store.objects().filter((key) => key.startsWith(`runs/default/${id}/`))).not.toEqual([])
    // The trash keeps the run of a job that it can give back.
    await calls.call("DELETE", `${JOBS}/${id}`)
    expect(store.objects().filter((key) => key.startsWith("runs/"))).not.toEqual([])
    await calls.call("DELETE", "/apis/files/v2/workspaces/default/trash")
    await expect.poll(() => store.objects().filter((key) => key.startsWith("runs/"))).toEqual([])
  })

  it.each([
    [
      "profiles: {a: {executor: lcal, place: /runs}}\n",
      /ASSAY_EXECUTORS: .*executors.yaml:1:.*'executor': There is no executor 'lcal'/,
    ],
    ["profiles: {a: {executor: local, place: runs}}\n", /profile 'a': 'place': 'runs' is not an absolute path/],
    ["profiles: {a: {executor: local, plce: /runs}}\n", /plce/],
    ["profiles: {a: {executor: local}}\n", /no profile of .*executors.yaml has a 'place'/],
    ["a: {executor: local}\n", /needs 'profiles'/],
  ])("does not start with %j", async (text, message) => {
    using home = makeTemporaryFolder()
    home.write("executors.yaml", text)
    await expect(startServer({ ASSAY_EXECUTORS: join(home.path, "executors.yaml") })).rejects.toThrow(message)
  })
})
