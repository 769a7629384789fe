import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { openStorage } from "@assay/storage"
import { beforeEach, describe, expect, it } from "vitest"
import { planOfShards } from "../testing/plan-of-shards.ts"
import { writePlan } from "../run/shard-plan.ts"
import type { RunStore } from "../run/run-store.ts"
import { engineRuns } from "../engine-runs.ts"
import type { Executor, ShardProcess, ShardWork } from "../executor.ts"
import { type EnginePorts, openEngineRun } from "../open-engine-run.ts"
import { followRun } from "./follow-run.ts"
import { activityOf, type FollowEnd, openFollower } from "./open-follower.ts"
import { openSubmissions, type SubmissionRequest } from "./submissions.ts"
import { submitShards } from "./submit-shards.ts"
import { watchEngines } from "./watch-engines.ts"

let store: RunStore
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-follow-"))
  const { storage } = await openStorage({ type: "local", path: folder })
  store = { location: folder, folder, storage }
  await writePlan(
    store,
    planOfShards(folder, {
      shards: [0, 1, 2].map((index) => [{ task: "t", firstRow: index * 10, endRow: index * 10 + 10, repeats: 1 }]),
      atOnce: 2,
    }),
  )
  return () => rmSync(folder, { recursive: true, force: true })
})

const publish = (index: number) => {
  mkdirSync(join(folder, "done"), { recursive: true })
  writeFileSync(join(folder, `done/${String(index).padStart(5, "0")}.json`), "{}")
}
const request = {
  executor: "test",
  profile: { values: {} },
  program: ["assay"],
  options: [],
  at_once: 2,
  retries: 1,
  merges: false,
}
const claimed = { ...request, round: 0, at: 0, before: {} }

interface Follow {
  /** The behaviour of the engine with shards that it receives. @param round how often it was given shards before */
  readonly onSubmit: (work: ShardWork, round: number) => void | Promise<void>
  /** The state of a shard, as the engine reports it. Default: it has ended. */
  readonly look?: (index: number, looks: number) => ShardProcess
  readonly request?: Omit<SubmissionRequest, "indexes" | "round"> | undefined
  /** Whether it may end with an error. */
  readonly throws?: boolean
}

/** Follows the run with an engine at the edge of this program, and notes what it was given. */
async function follow({ onSubmit, look = (index) => ({ index, state: "ended" }), ...given }: Follow) {
  const submitted: (readonly number[])[] = []
  const notes: string[] = []
  const cancelled: (readonly string[])[] = []
  const asked: (readonly string[])[] = []
  let looks = 0
  const executor: Executor = {
    isTied: true,
    render: async () => "",
    async submit(work) {
      submitted.push(work.indexes)
      await onSubmit(work, submitted.length - 1)
      return { ids: [String(submitted.length)], indexes: work.indexes, merges: false }
    },
    async look({ ids, indexes }) {
      asked.push(ids)
      looks++
      return indexes.map((index) => look(index, looks))
    },
    cancel: async ({ ids }) => void cancelled.push(ids),
    async *logs() {},
  }
  const submissions = openSubmissions(store)
  const { signal } = new AbortController()
  let time = Date.now()
  const now = () => time
  const sleep = async (milliseconds: number) => {
    time += milliseconds
    await pause(1)
  }
  const following = followRun(store, {
    engines: watchEngines({ submissions, executorOf: async () => executor, now }),
    request: "request" in given ? given.request : request,
    submit: (asked, seen) => submitShards(asked, seen, { run: folder, executor, submissions, now, signal }),
    onProgress: () => {},
    onNote: (text) => notes.push(text),
    now,
    sleep,
    signal,
  })
  const error: unknown = await following.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (given.throws !== true) await following
  return { end: error === undefined ? await following : undefined, error, submitted, notes, cancelled, asked, time }
}

const kindOf = (end: FollowEnd | undefined) => end?.kind

describe("following a run", () => {
  it("ends when all shards are published, and submits only those that are missing", async () => {
    publish(1)
    const { end, submitted } = await follow({ onSubmit: ({ indexes }) => indexes.forEach(publish) })
    expect(end).toEqual({ kind: "done", isMerged: false })
    expect(submitted).toEqual([[0, 2]])
    const again = await follow({ onSubmit: () => {} })
    expect([kindOf(again.end), again.submitted]).toEqual(["done", []])
  })

  it("submits shards again that ended without rows, and fails with the shard after the retries", async () => {
    const healed = await follow({ onSubmit: ({ indexes }, round) => indexes.slice(0, round + 2).forEach(publish) })
    expect([kindOf(healed.end), healed.submitted]).toEqual(["done", [[0, 1, 2], [2]]])
    expect(healed.notes).toEqual(["Shard 2 has ended without rows: submitted again, 1 of 1."])
    rmSync(join(folder, "done/00002.json"))
    const failed = await follow({
      onSubmit: () => {},
      look: (index) => ({ index, state: "ended", reason: "OUT_OF_MEMORY" }),
    })
    expect(failed.submitted).toEqual([[2], [2]])
    expect(failed.end).toMatchObject({ kind: "failed", shard: { index: 2, reason: "OUT_OF_MEMORY" } })
  })

  it("submits nothing that was never submitted, unless a user asks for it", async () => {
    const { end, submitted } = await follow({ onSubmit: () => {}, request: undefined })
    expect([end, submitted]).toEqual([{ kind: "not-submitted", missing: 3 }, []])
  })

  it("does not submit shards that another follower has submitted and that still run", async () => {
    const submissions = openSubmissions(store)
    const number = await submissions.claim({ ...claimed, indexes: [0, 1, 2] }, 0)
    await submissions.settle(number ?? 0, { ids: ["1"], indexes: [0, 1, 2], merges: false })
    const look = (index: number, looks: number): ShardProcess => {
      if (looks === 3) [0, 1, 2].forEach(publish)
      return { index, state: "running" }
    }
    const { end, submitted } = await follow({ onSubmit: () => {}, look })
    expect([kindOf(end), submitted]).toEqual(["done", []])
  })

  it("asks an engine again that does not respond for a while", async () => {
    const look = (index: number, looks: number): ShardProcess => {
      if (looks < 4) throw new AssayError("executor_failed", "The engine is away.")
      ;[0, 1, 2].forEach(publish)
      return { index, state: "running" }
    }
    const { end, notes } = await follow({ onSubmit: () => {}, look })
    expect(kindOf(end)).toBe("done")
    expect(notes[0]).toBe("The engine is away. Trying again for 15 minutes.")
  })

  it("throws at once what the engine says to the first submission", async () => {
    const refuse = () => {
      throw new AssayError("executor_failed", "There is no partition 'gpu'.")
    }
    await expect(follow({ onSubmit: refuse })).rejects.toThrow("There is no partition 'gpu'.")
    // A submission that the engine refuses is not one of the retries.
    const { end, submitted } = await follow({ onSubmit: ({ indexes }) => indexes.forEach(publish), request: undefined })
    expect([kindOf(end), submitted]).toEqual(["done", [[0, 1, 2]]])
  })

  it("continues with a shard that was opened again while it is followed", async () => {
    const submissions = openSubmissions(store)
    for (const [seen, indexes] of [[1], [0, 2]].entries()) {
      await submissions.claim({ ...claimed, indexes }, seen)
      await submissions.settle(seen + 1, { ids: [`${seen}`], indexes, merges: false })
    }
    publish(1)
    const look = (index: number, looks: number): ShardProcess => {
      if (looks === 2) rmSync(join(folder, "done/00001.json"), { force: true })
      if (looks === 5) [0, 1, 2].forEach(publish)
      return { index, state: "running" }
    }
    expect(kindOf((await follow({ onSubmit: () => {}, look, request: undefined })).end)).toBe("done")
  })

  it("ends when somebody cancels the run", async () => {
    const look = (index: number): ShardProcess => ({ index, state: "running" })
    const onSubmit = () => void pause(20).then(() => openSubmissions(store).end("cancelled"))
    expect(kindOf((await follow({ onSubmit, look })).end)).toBe("cancelled")
  })

  it("stops what it has submitted while somebody cancelled the run, or while it failed", async () => {
    for (const how of ["cancelled", "failed"] as const) {
      const onSubmit = async () => void (await openSubmissions(store).end(how))
      const { end, submitted, cancelled } = await follow({ onSubmit })
      expect([kindOf(end), submitted, cancelled]).toEqual([how, [[0, 1, 2]], [["1"]]])
    }
  })

  it("stops what an engine was given if that can't be kept", async () => {
    // A folder of that name makes the write fail.
    mkdirSync(join(folder, "submissions/00001-given.json"), { recursive: true })
    const { error, cancelled } = await follow({ onSubmit: () => {}, throws: true })
    expect(error).toMatchObject({ code: expect.stringMatching(/./), message: expect.stringContaining("00001-given") })
    expect(cancelled).toEqual([["1"]])
  })

  it("asks an engine only about the last submission of each shard, and not about those that it refused", async () => {
    let isRefused = true
    const onSubmit = ({ indexes }: ShardWork, round: number) => {
      if (round === 1 && isRefused) {
        isRefused = false
        throw new AssayError("executor_failed", "Too many jobs.")
      }
      if (round > 1) indexes.forEach(publish)
    }
    const { end, asked } = await follow({ onSubmit })
    expect(kindOf(end)).toBe("done")
    expect(asked).toEqual([["1"], ["3"]])
  })

  it("submits shards that an engine refuses less and less often, and ends after 15 minutes without progress", async () => {
    const onSubmit = (_: ShardWork, round: number) => {
      if (round > 0) throw new AssayError("executor_failed", "Too many jobs.")
    }
    const start = Date.now()
    const { error, submitted, notes, time } = await follow({ onSubmit, throws: true })
    expect(error).toMatchObject({ message: "Too many jobs." })
    expect(notes).toEqual(["Too many jobs. Trying again for 15 minutes."])
    expect(time - start).toBeGreaterThan(15 * 60_000)
    expect(submitted.length).toBeLessThan(12)
  })
})

describe("a look at a run", () => {
  const look = async (state: ShardProcess["state"]) => {
    const executor: Executor = {
      render: async () => "",
      submit: async ({ indexes }) => ({ ids: ["1"], indexes, merges: false }),
      look: async ({ indexes }) => indexes.map((index) => ({ index, state: index === 0 ? "ended" : state })),
      cancel: async () => {},
      async *logs() {},
    }
    const submissions = openSubmissions(store)
    const { signal } = new AbortController()
    const [now, nothing] = [Date.now, () => {}]
    const follower = await openFollower(store, {
      engines: watchEngines({ submissions, executorOf: async () => executor, now }),
      request,
      submit: (asked, seen) => submitShards(asked, seen, { run: folder, executor, submissions, now, signal }),
      onProgress: nothing,
      onNote: nothing,
      now,
      sleep: async () => {},
      signal,
    })
    await follower.step()
    return activityOf(await follower.look(true), now())
  }

  it("shows at once that nothing executes the shards that are missing, also on an engine of other machines", async () => {
    expect(await look("ended")).toBe("idle")
  })

  it("shows that it is active while one of them runs", async () => {
    expect(await look("running")).toBe("active")
  })
})

describe("processes of this machine that run shards", () => {
  const ports = (program: readonly string[]): EnginePorts => ({
    cwd: folder,
    env: process.env,
    sleep: (milliseconds, signal) =>
      pause(Math.min(5, milliseconds), undefined, signal === undefined ? {} : { signal }),
    cores: 2,
    options: [],
    host: hostname(),
    pid: process.pid,
    isProcessAlive: () => true,
    endProcess: () => {},
    now: Date.now,
    program,
  })

  it("are started again by their executor, and the message of a run that failed has their last line", async () => {
    const script =
      'test "$4" = 1 && { mkdir -p "$2/done"; echo "{}" > "$2/done/00001.json"; exit 0; }; echo "no $4" >&2; exit 3'
    const run = openEngineRun(store, ports(["/bin/sh", "-c", script]))
    const asked = { ...request, executor: "local", program: ["unused"], retries: 2 }
    const { signal } = new AbortController()
    const silent = { onProgress: () => {}, onNote: () => {} }
    const end = await engineRuns.follow(run, { request: asked, cancels: true, ...silent, signal })
    if (end.kind !== "failed") throw new Error(`It ended as ${end.kind}.`)
    expect(end.message).toMatch(
      /^Shard \d failed 3 times, the last time because: its process ended without rows \((exit code 3|stopped)\): no \d$/,
    )
    expect(readdirSync(join(folder, "logs")).filter((name) => name.startsWith(`0000${end.shard.index}`))).toHaveLength(
      3,
    )
    expect((await engineRuns.look(run, signal)).state).toBe("failed")
    // Their output is that of the run also if another engine has the shard now.
    const seen = (await run.submissions.list()).last
    const number = await run.submissions.claim({ ...claimed, executor: "slurm", indexes: [0, 1, 2] }, seen)
    await run.submissions.settle(number ?? 0, { ids: ["7"], indexes: [0, 1, 2], merges: false })
    const written = (await Array.fromAsync(engineRuns.logs(run, end.shard.index, signal))).join("")
    expect(written).toContain(`no ${end.shard.index}`)
  })

  it.each([
    [0, ["1"], "", "because: its process ended without rows (OOMKilled): no memory in 1"],
    [
      2,
      ["1", "2"],
      "no memory in 3\n",
      "although it was submitted 3 times, the last time because: its process ended without rows (OOMKilled): no memory in 3",
    ],
  ])(
    "are asked for their last line before they are stopped, and not stopped if they have ended: %i retries",
    async (retries, ...expected) => {
      const stopped: string[] = []
      let count = 0
      const executor: Executor = {
        render: async () => "",
        submit: async ({ indexes }) => ({ ids: [`${++count}`], indexes, merges: false }),
        look: async ({ indexes }) =>
          indexes.map((index) => ({ index, state: index === 0 ? "ended" : "running", reason: "OOMKilled" })),
        cancel: async ({ ids }) => void stopped.push(...ids),
        async *logs({ ids }) {
          if (!stopped.includes(ids[0] ?? "")) yield `no memory in ${ids[0]}\n`
        },
      }
      const submissions = openSubmissions(store)
      let time = Date.now()
      const sleep = async (milliseconds: number) => void (time += milliseconds)
      const executorOf = async () => executor
      const engines = watchEngines({ submissions, executorOf, now: () => time })
      const run = { store, submissions, executorOf, engines, ports: { ...ports(["assay"]), now: () => time, sleep } }
      const { signal } = new AbortController()
      const asked = { ...request, executor: "local", retries }
      const silent = { onProgress: () => {}, onNote: () => {} }
      const end = await engineRuns.follow(run, { request: asked, cancels: true, ...silent, signal })
      if (end.kind !== "failed") throw new Error(`It ended as ${end.kind}.`)
      const kept = (await Array.fromAsync(engineRuns.logs(run, 0, signal))).join("")
      expect([stopped, kept, end.message.replace("Shard 0 failed ", "")]).toEqual(expected)
    },
  )
})
