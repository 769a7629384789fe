import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findSlurm, type SlurmCluster, startSlurm } from "@assay/testkit"
import type { Executor, ShardProcess, ShardWork, Submission } from "../executor.ts"
import { createSlurmExecutor } from "./slurm-executor.ts"

const NEVER = new AbortController().signal

describe("the Slurm executor without Slurm", () => {
  const executor = createSlurmExecutor({}, { cwd: "/", env: { PATH: "" }, sleep: async () => {} })
  const submission = { executor: "slurm", ids: ["1"], indexes: [0], merges: false }

  it("says that the commands of Slurm are missing, and where they are", async () => {
    const missing = {
      code: "executor_failed",
      retry: "later",
      message: expect.stringMatching(/not found on PATH.*login node/),
    }
    await expect(executor.look(submission, NEVER)).rejects.toMatchObject(missing)
    await expect(executor.cancel(submission)).rejects.toMatchObject(missing)
  })

  it("refuses ids that commands would read as options", async () => {
    const hostile = { ...submission, ids: ["--user=root"] }
    await expect(executor.cancel(hostile)).rejects.toThrow("'--user=root' is not the id of a Slurm job")
    await expect(executor.look(hostile, NEVER)).rejects.toMatchObject({ code: "executor_failed" })
  })
})

/** Starts the command of a shard, which its index chooses: 2 fails, 3 and 4 wait until they are ended. */
const PROGRAM = `#!/bin/sh
while [ $# -gt 1 ]; do words="$words$1|"; shift; done
printf '%s' "$words$1|$FOO|$SUBMIT_KEY|$OTHER_KEY" >"$RAN/$1"
echo "working on $1"
case $1 in 2) exit 3;; 3|4) exec sleep 600;; esac
`

const found = findSlurm()
if (!found.isThere) console.warn(`Tests with a real Slurm are skipped: ${found.reason}.`)

describe.skipIf(!found.isThere)("the Slurm executor on a cluster", () => {
  let cluster: SlurmCluster
  let folder: string
  let env: Readonly<Record<string, string | undefined>>
  beforeAll(async () => {
    // Arrays have indexes below 6, so that a shard 7 needs a second one.
    cluster = await startSlurm({ maxArraySize: 6 })
    folder = mkdtempSync(join(tmpdir(), "assay-slurm-"))
    writeFileSync(join(folder, "program"), PROGRAM, { mode: 0o755 })
    env = { PATH: process.env["PATH"], ...cluster.env, SUBMIT_KEY: "sk-12345", OTHER_KEY: "sk-67890" }
  })
  afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true })
  })

  /** Creates a run whose name a shell would misread, and its executor. */
  const prepare = (others: Partial<ShardWork>) => {
    const parent = mkdtempSync(join(folder, "run-"))
    const run = join(parent, `a b'c$(x)"d%e#`)
    const ran = mkdtempSync(join(parent, "ran-"))
    const profile = {
      time: "10",
      cpus: 1,
      environment: { FOO: `f'$(x) "o`, RAN: ran },
      pass_environment: ["SUBMIT_KEY"],
    }
    const executor = createSlurmExecutor(profile, { cwd: parent, env, sleep: async () => {} })
    const work: ShardWork = {
      run,
      id: "eval-1",
      name: "test",
      count: 8,
      indexes: [0],
      atOnce: 8,
      program: [join(folder, "program")],
      options: [],
      merges: false,
      retries: 2,
      ...others,
    }
    return { run, ran, executor, work }
  }

  const look = async (executor: Executor, submission: Submission): Promise<Record<number, string>> => {
    const processes = await executor.look(submission, NEVER)
    const shown = ({ state, location = "-", reason = "-" }: ShardProcess) => `${state} ${location} ${reason}`
    return Object.fromEntries(processes.map((one) => [one.index, shown(one)]))
  }

  const logs = async (executor: Executor, submission: Submission, index: number): Promise<string> =>
    (await Array.fromAsync(executor.logs(submission, index, NEVER))).join("")

  it("runs missing shards as arrays with the variables of the profile, and merges when all have ended", async () => {
    const { run, ran, executor, work } = prepare({
      indexes: [0, 2, 7],
      merges: true,
      options: ["--key-host", "h'$(x)"],
    })
    const submission = await executor.submit(work, NEVER)
    expect(submission).toEqual({
      ids: [expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+\+6$/), expect.stringMatching(/^\d+$/)],
      indexes: [0, 2, 7],
      merges: true,
      logs: join(run, "logs"),
    })
    await expect
      .poll(() => look(executor, submission))
      .toEqual({ 0: "ended node1 COMPLETED", 2: "ended node1 FAILED", 7: "ended node1 COMPLETED" })
    const passed = `f'$(x) "o|sk-12345|`
    await expect.poll(() => readdirSync(ran).toSorted()).toEqual(["0", "2", "7"].toSorted())
    expect(readFileSync(join(ran, "7"), "utf8")).toBe(`eval|shard|${run}|--key-host|h'$(x)|--index|7|${passed}`)
    expect(await logs(executor, submission, 7)).toMatch(/^shard 7: task \d+_1, start 1, on node1\nworking on 7\n$/)
    expect(await logs(executor, submission, 5)).toBe("")
    // The output of another submission.
    expect(await logs(executor, { ...submission, ids: ["999998", "999999+6", "1"] }, 7)).toBe("")
    const mergeLog = join(run, "logs", `merge-${submission.ids[2]}.out`)
    await expect.poll(() => (existsSync(mergeLog) ? readFileSync(mergeLog, "utf8") : "")).toBe("working on 2\n")
    // The last word of a merge is the number of its resubmissions.
    expect(readFileSync(join(ran, "2"), "utf8")).toBe(`eval|merge|${run}|--key-host|h'$(x)|--resubmit|2|${passed}`)
  })

  it("cancels tasks that run and wait, and the merge, and does nothing the second time", async () => {
    const { run, executor, work } = prepare({ indexes: [3, 4], atOnce: 1, merges: true })
    const submission = await executor.submit(work, NEVER)
    await expect
      .poll(() => look(executor, submission))
      .toEqual({ 3: "running node1 -", 4: "waiting - JobArrayTaskLimit" })
    await executor.cancel(submission)
    await executor.cancel(submission)
    await executor.cancel({ ...submission, ids: ["999999", "999998"] })
    await expect
      .poll(() => look(executor, submission))
      .toEqual({ 3: "ended node1 CANCELLED", 4: expect.stringMatching(/^ended - CANCELLED$/) })
    expect(readdirSync(join(run, "logs")).filter((name) => name.startsWith("merge"))).toEqual([])
  })

  it("does not cancel a job of the user that is not one of Assay", async () => {
    const { executor } = prepare({})
    const call = (name: string, ...words: readonly string[]) =>
      spawnSync(found.isThere ? found.program(name) : name, words, { env, cwd: folder, encoding: "utf8" }).stdout.trim()
    const job = call("sbatch", "--parsable", "--job-name=train", "--output=/dev/null", "--wrap=sleep 600")
    const submission = { executor: "slurm", ids: [job], indexes: [0], merges: false }
    await expect(executor.cancel(submission)).rejects.toThrow(`the Slurm job ${job}, which is called 'train'`)
    expect(call("squeue", "--noheader", "--format=%T", `--jobs=${job}`)).toMatch(/RUNNING|PENDING|CONFIGURING/)
    call("scancel", job)
  })

  it("what Slurm refuses is in the error, and a job that it does not know has ended", async () => {
    const { executor, work } = prepare({ indexes: [3, 7] })
    const profile = { partition: "nowhere" }
    const refused = createSlurmExecutor(profile, { cwd: folder, env, sleep: async () => {} })
    await expect(refused.submit(work, NEVER)).rejects.toMatchObject({
      code: "executor_failed",
      message: expect.stringContaining("invalid partition specified: nowhere"),
    })
    const submission = { executor: "slurm", ids: ["999999"], indexes: [3, 7], merges: false }
    expect(await look(executor, submission)).toEqual({ 3: "ended - -", 7: "ended - -" })
  })

  it("a text that is submitted by hand runs the same", async () => {
    const { run, ran, executor, work } = prepare({ indexes: [0, 1, 7], atOnce: 2, merges: true })
    const text = await executor.render(work)
    expect(text).not.toContain("sk-12345")
    const { status, stdout } = spawnSync("sh", [], { input: text, env, encoding: "utf8" })
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^shards: job \d+\nshards: job \d+\nmerge: job \d+\n$/)])
    await expect.poll(() => readdirSync(ran).toSorted(), { timeout: 30_000 }).toEqual(["0", "1", "2", "7"])
    expect(readFileSync(join(ran, "2"), "utf8")).toContain(`eval|merge|${run}|--resubmit|2|`)
  })

  it("a task whose node crashed starts again, and its output follows that of the first start", async () => {
    const { executor, work } = prepare({ indexes: [3] })
    const submission = await executor.submit(work, NEVER)
    await expect.poll(() => logs(executor, submission, 3)).toContain("working on 3")
    await cluster.crashNode()
    await cluster.startNode()
    const starts = /^shard 3: task \d+_3, start 1, on node1\nworking on 3\nshard 3: task \d+_3, start 2, on node1\n/
    await expect.poll(() => logs(executor, submission, 3), { timeout: 30_000 }).toMatch(starts)
    await executor.cancel(submission)
  })

  // The last one, because it ends the controller.
  it("a controller that does not respond is an error with a retry, and not the end of the tasks", async () => {
    await cluster.stopController()
    const { executor } = prepare({})
    const submission = { executor: "slurm", ids: ["1", "2"], indexes: [0], merges: false }
    await expect(executor.look(submission, NEVER)).rejects.toMatchObject({
      code: "executor_failed",
      retry: "later",
      message: expect.stringContaining("Unable to contact slurm controller"),
    })
  })
})
