import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTestBucket } from "@assay/filesets/testing"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import { JOB_LEASE_MS, type JobRun } from "@assay/job-store"

const KINDS = [...DATABASE_KINDS, "sqlite with an object store"] as const
const DONE = { to: "COMPLETED", message: "Done." } as const

describe.each(KINDS)("results of a job on %s", (kind) => {
  let test: TestRegistry
  let listStored: () => Promise<readonly string[]>
  beforeAll(async () => {
    if (kind === "sqlite with an object store") {
      const { store, defaultStorage, followClock } = await startTestBucket()
      test = await createTestRegistry("sqlite", { defaultStorage })
      followClock(() => test.clock.time)
      await test.registry.secrets.create("system", { name: "id", value: store.accessKeyId })
      await test.registry.secrets.create("system", { name: "key", value: store.secretAccessKey })
      listStored = async () => store.objects()
    } else {
      test = await createTestRegistry(kind)
      const root = join(test.folder, "storage")
      listStored = async () =>
        (await readdir(root, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    }
  })
  afterAll(() => test.remove())

  async function launch() {
    const { id } = await test.registry.jobs.create(JOB)
    const name = `evaluation-${id}`
    const fileset = { workspace: "default", name, description: "", custom_fields: { evaluation_job: id } }
    const claim = async (): Promise<JobRun> => {
      const run = await test.registry.jobs.claim(id)
      if (run === undefined) throw new Error("The job is another runner's.")
      return run
    }
    const lose = async () => {
      await test.pass(JOB_LEASE_MS)
      await test.registry.jobs.settleLost()
    }
    return { id, name, fileset, claim, lose }
  }

  async function contents(name: string): Promise<Record<string, string>> {
    const { data } = await test.registry.files.list("default", name, {})
    const all: Record<string, string> = {}
    for (const { path, sha256 } of data) {
      const { bytes } = await test.registry.files.read("default", name, parseFilePath(path))
      all[path] = await textOf(bytes)
      if (!kind.includes("object")) expect(sha256).toMatch(/^[\da-f]{64}$/)
    }
    return all
  }

  it("become visible all at once, when the job ends", verifies("results.one-step"), async () => {
    const { fileset, name, claim } = await launch()
    const run = await claim()
    const staged = await run.stageResults(fileset)
    await staged.write(parseFilePath("results/a.json"), bytesOf("one"))
    await staged.write(parseFilePath("config/job.json"), bytesOf("{}"))
    expect(await contents(name)).toEqual({})
    expect(await run.end({ ...DONE, results: staged })).toBe("COMPLETED")
    expect(await contents(name)).toEqual({ "config/job.json": "{}", "results/a.json": "one" })
    const { storage } = await test.registry.filesets.get("default", name)
    expect(JSON.stringify(storage)).toContain(`filesets/default/${name}/attempt-1"`)
  })

  it("stay if their runner ends the job again, or discards them, because the first response was lost", async () => {
    const { fileset, name, claim } = await launch()
    const run = await claim()
    await run.stageResults(fileset)
    const staged = await run.stageResults(fileset)
    await staged.write(parseFilePath("results/a.json"), bytesOf("one"))
    expect(await run.end({ ...DONE, results: staged })).toBe("COMPLETED")
    expect(await run.end({ ...DONE, results: staged })).toBe("COMPLETED")
    await staged.discard()
    expect(await contents(name)).toEqual({ "results/a.json": "one" })
  })

  it(
    "are never visible if their runner was lost, whenever it writes them",
    verifies("results.fenced", "eval.unavailable"),
    async () => {
      const { id, fileset, name, claim, lose } = await launch()
      const first = await claim()
      const late = await first.stageResults(fileset)
      await late.write(parseFilePath("results/a.json"), bytesOf("late"))
      await lose()
      const second = await claim()
      const staged = await second.stageResults(fileset)
      await staged.write(parseFilePath("results/a.json"), bytesOf("second"))
      await late.write(parseFilePath("results/a.json"), bytesOf("later"))
      await late.write(parseFilePath("results/b.json"), bytesOf("later"))
      expect(await second.end({ ...DONE, results: staged })).toBe("COMPLETED")
      await late.write(parseFilePath("results/a.json"), bytesOf("latest"))
      expect(await first.end({ ...DONE, results: late })).toBeUndefined()
      await expect(first.stageResults(fileset)).rejects.toMatchObject({ code: "runner_lost" })
      expect(await contents(name)).toEqual({ "results/a.json": "second" })
      expect(await test.registry.jobs.getResultsLocation(id)).toEqual({ folder: "attempt-2", fileset: undefined })
      await late.discard()
      expect((await listStored()).filter((path) => path.includes(`${name}/`))).toEqual([
        expect.stringContaining(`${name}/attempt-2/results/a.json`),
      ])
    },
  )

  it("are deleted some time after they were replaced", verifies("results.fileset"), async () => {
    const { id, fileset, name, claim } = await launch()
    const first = await claim()
    const one = await first.stageResults(fileset)
    for (const path of ["results/a.json", "results/rows.jsonl"]) await one.write(parseFilePath(path), bytesOf("one"))
    await first.end({ to: "FAILED", message: "", results: one })
    await test.registry.jobs.restart(id, { kind: "run" })
    const second = await claim()
    const two = await second.stageResults(fileset)
    await two.write(parseFilePath("results/rows.jsonl"), bytesOf("two"))
    await second.end({ ...DONE, results: two })
    const kept = { "results/rows.jsonl": "two" }
    expect(await contents(name)).toEqual(kept)
    const stored = async () => (await listStored()).filter((path) => path.includes(`${name}/`)).toSorted()
    expect(await stored()).toHaveLength(3)
    await test.pass(3_600_000)
    await test.openAnother()
    await expect.poll(stored).toHaveLength(1)
    expect(await contents(name)).toEqual(kept)
  })

  it("are not published into a removed fileset, and the next runner makes a new one", async () => {
    const { id, fileset, name, claim } = await launch()
    const run = await claim()
    const staged = await run.stageResults(fileset)
    await staged.write(parseFilePath("results/a.json"), bytesOf("one"))
    await test.registry.filesets.remove("default", name)
    await expect(run.end({ ...DONE, results: staged })).rejects.toMatchObject({ code: "not_found" })
    expect(await run.end({ to: "FAILED", message: "" })).toBe("FAILED")
    await test.registry.jobs.restart(id, { kind: "run" })
    const next = await claim()
    const again = await next.stageResults(fileset)
    await again.write(parseFilePath("results/a.json"), bytesOf("two"))
    await next.end({ ...DONE, results: again })
    expect(await contents(name)).toEqual({ "results/a.json": "two" })
    await test.registry.filesets.remove("default", name)
    await expect
      .poll(async () => (await listStored()).filter((path) => path.includes(`/${name}/attempt-2/`)))
      .toEqual([])
  })

  it("can't be written to a fileset of their name on other storage", async () => {
    if (kind.includes("object")) return
    const { fileset, name, claim } = await launch()
    const storage = { type: "local", path: join(test.folder, "allowed/mine") } as const
    await test.registry.as(() => true).filesets.create("default", { name, storage })
    const run = await claim()
    await expect(run.stageResults(fileset)).rejects.toMatchObject({ code: "already_exists" })
  })
})
