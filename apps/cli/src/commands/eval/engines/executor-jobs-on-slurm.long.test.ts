import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { findSlurm, type SlurmCluster, startSlurm, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callJobs, type HeldModel, JOBS, MODEL_KEY, PROGRAM, startHeldModel } from "../../../testing/executor-jobs.ts"
import { startAssay } from "../../../testing/start-assay.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

const found = findSlurm()
if (!found.isThere) console.warn(`Tests with a real Slurm are skipped: ${found.reason}.`)

describe.skipIf(!found.isThere)("a job of a server on Slurm", () => {
  let cluster: SlurmCluster
  let model: HeldModel
  let folder: TemporaryFolder
  beforeAll(async () => {
    cluster = await startSlurm({ cpus: 4 })
    model = await startHeldModel()
    folder = makeTemporaryFolder()
    const program = JSON.stringify(PROGRAM)
    // Only the named variables reach the nodes, and the keys of the job.
    folder.write(
      "executors.yaml",
      `profiles: {cluster: {executor: slurm, place: ${folder.path}/place, program: ${program}, shards: 4, pass_environment: []}}\n`,
    )
  })
  afterAll(async () => {
    await cluster.stop()
    await model.close()
    folder[Symbol.dispose]()
  })

  const startServer = async () => {
    const { child, ended } = startAssay(["serve", "--port", "0", "--json"], {
      cwd: folder.path,
      env: { ...cluster.env, ASSAY_EXECUTORS: "executors.yaml", ASSAY_LOG_LEVEL: "warn" },
    })
    const [said] = await Promise.race([
      once(child.stdout, "data"),
      ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ])
    const { url }: { url: string } = JSON.parse(String(said))
    const end = async (signal: "SIGINT" | "SIGKILL") => {
      child.kill(signal)
      await ended
    }
    return { url, end }
  }

  it(
    "goes on while its server is killed, and nothing is submitted or asked twice",
    verifies("eval.executor.continue"),
    async () => {
      model.isHeld = () => true
      const first = await startServer()
      const before = callJobs(first, model)
      await before.prepare()
      const { id } = await before.launch({ executor: "cluster" })
      const run = join(folder.path, "place/default", id)
      await expect.poll(() => model.asked.size, { timeout: 60_000 }).toBe(4)
      await first.end("SIGKILL")
      model.isHeld = () => false
      await expect.poll(() => existsSync(join(run, "done/00003.json")), { timeout: 60_000 }).toBe(true)
      const second = await startServer()
      const after = callJobs(second, model)
      expect(await after.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 12 } })
      expect([...model.asked.values()]).toEqual(Array.from({ length: 12 }, () => 1))
      expect(readdirSync(join(run, "submissions")).toSorted()).toEqual(["00001-given.json", "00001.json"])
      const files = readdirSync(run, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"))
      expect(texts.filter((text) => text.includes(MODEL_KEY))).toEqual([])
      await second.end("SIGINT")
    },
  )

  it.each([
    ["", false],
    [", also by a server that took it after its own one was killed", true],
  ])("has no tasks left when it is cancelled%s", async (_, isKilled) => {
    model.isHeld = () => true
    let server = await startServer()
    let jobs = callJobs(server, model)
    const asked = () => [...model.asked.values()].reduce((sum, times) => sum + times, 0)
    const before = asked()
    const { id } = await jobs.launch({ executor: "cluster" })
    await expect.poll(() => asked() - before, { timeout: 60_000 }).toBe(4)
    if (isKilled) {
      await server.end("SIGKILL")
      server = await startServer()
      jobs = callJobs(server, model)
    }
    await jobs.call("POST", `${JOBS}/${id}/cancel`)
    expect((await jobs.endOf(id)).status).toBe("CANCELLED")
    const env = { ...process.env, ...cluster.env }
    const listed = () =>
      execFileSync("sh", ["-c", "squeue --noheader --states=PENDING,RUNNING"], { env, encoding: "utf8" })
    expect(listed()).toBe("")
    await server.end("SIGINT")
  })
})
