import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { openStorage } from "@assay/storage"
import { beforeEach, describe, expect, it } from "vitest"
import { writePlan } from "../../cut-runs/shard-plan.ts"
import type { RunStore } from "../../cut-runs/store/run-store.ts"
import { engineRuns } from "../engine-runs.ts"
import type { Executor, ShardProcess, ShardWork } from "../executor.ts"
import { type EnginePorts, openEngineRun } from "../open-engine-run.ts"
import { type FollowEnd, followRun } from "./follow-run.ts"
import { openSubmissions, type SubmissionRequest } from "./submissions.ts"
import { submitShards } from "./submit-shards.ts"
import { watchEngines } from "./watch-engines.ts"

let store: RunStore
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-follow-"))
  const { storage } = await openStorage({ type: "local", path: folder })
  store = { location: folder, folder, storage }
  await writePlan(store, {
    id: "eval-1",
    name: "words",
    created_at: 0,
    job: { namespace: "default", target: { type: "rows", rows: [{}] }, config: { type: "custom" } },
    folder,
    shards: [0, 1, 2].map((index) => [{ task: "t", firstRow: index * 10, endRow: index * 10 + 10, repeats: 1 }]),
    at_once: 2,
    datasets: [],
    labels: {},
    guardrails: {},
    pins: [],
    gates: [],
  })
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

interface Follow {
  /** What the engine does with shards that it is given. @param round how often it was given shards before */
  readonly onSubmit: (work: ShardWork, round: number) => void
  /** What the engine says of a shard. Default: it has ended. */
  readonly look?: (index: number, looks: number) => ShardProcess
  readonly request?: Omit<SubmissionRequest, "indexes" | "round"> | undefined
}

/** Follows the run with an engine at the edge of this program, and notes what it was given. */
async function follow({ onSubmit, look = (index) => ({ index, state: "ended" }), ...given }: Follow) {
  const submitted: (readonly number[])[] = []
  const notes: string[] = []
  let looks = 0
  const executor: Executor = {
    isTied: true,
    render: async () => "",
    async submit(work) {
      submitted.push(work.indexes)
      onSubmit(work, submitted.length - 1)
      return { executor: "test", ids: [String(submitted.length)], indexes: work.indexes, merges: false }
    },
    async look({ indexes }) {
      looks++
      return indexes.map((index) => look(index, looks))
    },
    cancel: async () => {},
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
  const end = await followRun(store, {
    engines: watchEngines({ submissions, executorOf: async () => executor, now }),
    request: "request" in given ? given.request : request,
    submit: (asked, { plan }) => submitShards(asked, { plan, run: folder, executor, submissions, now, signal }),
    onProgress: () => {},
    onNote: (text) => notes.push(text),
    now,
    sleep,
    signal,
  })
  return { end, submitted, notes }
}

const kindOf = ({ kind }: FollowEnd) => kind

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
    const number = await submissions.claim({ ...request, indexes: [0, 1, 2], round: 0, at: Date.now() })
    await submissions.settle(number ?? 0, { executor: "test", ids: ["1"], indexes: [0, 1, 2], merges: false })
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

  it("ends when somebody cancels the run", async () => {
    const look = (index: number): ShardProcess => ({ index, state: "running" })
    const onSubmit = () => void pause(20).then(() => openSubmissions(store).cancel())
    expect(kindOf((await follow({ onSubmit, look })).end)).toBe("cancelled")
  })
})

describe("submissions of a run", () => {
  it("have one number each, also if two processes submit at once", async () => {
    const claims = Array.from({ length: 8 }, () =>
      openSubmissions(store).claim({ ...request, indexes: [0], round: 0, at: 0 }),
    )
    const numbers = (await Promise.all(claims)).filter((one) => one !== undefined)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(readdirSync(join(folder, "submissions"))).toHaveLength(numbers.length)
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
    const { outcome } = await engineRuns.failed(run, end, signal)
    expect(outcome.message).toMatch(
      /^Shard \d failed 3 times, the last time because: its process ended without rows \((exit code 3|stopped)\): no \d$/,
    )
    expect(readdirSync(join(folder, "logs")).filter((name) => name.startsWith(`0000${end.shard.index}`))).toHaveLength(
      3,
    )
    expect((await engineRuns.look(run, signal)).state).toBe("failed")
  })
})
