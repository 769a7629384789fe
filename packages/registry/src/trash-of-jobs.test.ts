import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { EvaluationResult } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Jobs } from "@assay/job-store"
import { DATABASE_KINDS } from "@assay/database/testing"
import type { Registry } from "./registry.ts"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"

const DAY_MS = 86_400_000
const FIRST_PAGE = { page: 1, page_size: 100 }
const PATH = parseFilePath("results.json")

const RESULT: EvaluationResult = {
  id: "evaluation_result-1",
  job: "j",
  files_url: null,
  namespace: "default",
  created_at: "2026-11-20T00:00:00.000Z",
  tasks: {},
  groups: {},
}

/** An entry of another kind with the id of a job, which no job can have. */
const ENTRY = (id: string) => ({
  id,
  kind: "fileset" as const,
  workspace: "default",
  name: "n",
  removed_at: 0,
  removed_by: "",
  removed_until: 1,
  bytes: 0,
  record: "{}",
})

describe.each(DATABASE_KINDS)("removed evaluation jobs on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let jobs: Jobs
  beforeAll(async () => {
    test = await createTestRegistry(kind, { trashMs: DAY_MS })
    registry = test.registry
    jobs = registry.jobs
  })
  afterAll(() => test.remove())

  /** Makes a workspace with a job that has ended, and a fileset for its results. */
  async function endJob(namespace: string, target = JOB.target) {
    await registry.workspaces.create({ name: namespace })
    const { id } = await jobs.create({ ...JOB, namespace, target, description: "nightly" })
    await (await jobs.claim(id))?.end({ to: "COMPLETED", message: "Done.", conditions: [], result: RESULT })
    const resultsFileset = `evaluation-${id}`
    await registry.filesets.create(namespace, { name: resultsFileset })
    await registry.files.write(namespace, resultsFileset, PATH, bytesOf("scores"))
    return { id, namespace, resultsFileset, discard: () => jobs.discard(id, { by: "ada", resultsFileset }) }
  }
  const trashOf = async (workspace: string) => (await registry.trash.list(workspace, FIRST_PAGE, "all")).data
  const listed = async (namespace: string) =>
    (await jobs.list({ ...FIRST_PAGE, sort: "created_at", filter: { namespace } }, "all")).data.map(({ id }) => id)

  it(
    "are in the trash with their results, which no read finds, and come back whole",
    verifies("trash.jobs"),
    async () => {
      const { id, namespace, resultsFileset, discard } = await endJob("kept")
      const before = await jobs.get(id)
      const fileset = await registry.filesets.get(namespace, resultsFileset)
      using watch = jobs.watch(id)
      const gone = watch.changed(100, { maxMs: 60_000, signal: AbortSignal.timeout(60_000) })
      const removed = await discard()
      const until = Date.parse(removed?.restorable_until ?? "")
      expect(await trashOf(namespace)).toEqual([
        {
          id,
          kind: "job",
          workspace: namespace,
          name: id,
          description: "nightly",
          removedAt: until - DAY_MS,
          removedBy: "ada",
          removedUntil: until,
          bytes: 6,
        },
      ])
      expect(await gone).toBe(true)
      const missing = { code: "not_found" }
      await expect(jobs.get(id)).rejects.toMatchObject(missing)
      await expect(jobs.update(id, { description: "x" })).rejects.toMatchObject(missing)
      await expect(jobs.cancel(id)).rejects.toMatchObject(missing)
      await expect(jobs.restart(id, { kind: "retry-failed" })).rejects.toMatchObject(missing)
      await expect(discard()).rejects.toMatchObject(missing)
      await expect(jobs.create({ ...JOB, id })).rejects.toMatchObject({ code: "already_exists" })
      await expect(registry.filesets.get(namespace, resultsFileset)).rejects.toMatchObject(missing)
      await expect(registry.trash.restore(namespace, fileset.id)).rejects.toMatchObject(missing)
      await expect(registry.trash.remove(namespace, fileset.id)).rejects.toMatchObject(missing)
      await expect(jobs.restore("default", id)).rejects.toMatchObject(missing)
      expect([await listed(namespace), await jobs.isStored(id), await jobs.listDiscarded(9)]).toEqual([[], true, []])
      const restored = await jobs.restore(namespace, id)
      expect([restored, await jobs.get(id), await jobs.getResult(id)]).toEqual([before, before, RESULT])
      expect(await listed(namespace)).toEqual([id])
      expect((await jobs.listEvents(id, 0, 9)).at(-1)?.data).toMatchObject({ message: "Restored from the trash." })
      expect((await registry.filesets.get(namespace, resultsFileset)).id).toBe(fileset.id)
      expect(await textOf((await registry.files.read(namespace, resultsFileset, PATH)).bytes)).toBe("scores")
      expect(await trashOf(namespace)).toEqual([])
      await expect(jobs.restore(namespace, id)).rejects.toMatchObject(missing)
    },
  )

  it("can't be restored while another fileset has the name of their results", verifies("trash.jobs"), async () => {
    const { id, namespace, resultsFileset, discard } = await endJob("taken")
    await discard()
    await registry.filesets.create(namespace, { name: resultsFileset })
    await expect(jobs.restore(namespace, id)).rejects.toMatchObject({ code: "already_exists" })
    await registry.filesets.remove(namespace, resultsFileset, { permanent: true })
    expect((await jobs.restore(namespace, id)).id).toBe(id)
    expect(await textOf((await registry.files.read(namespace, resultsFileset, PATH)).bytes)).toBe("scores")
  })

  it(
    "are deleted for good on request and after their time, and go with their workspace",
    verifies("trash.remove", "trash.sweep", "trash.workspace", "trash.jobs"),
    async () => {
      const { id, namespace, discard } = await endJob("ended")
      await discard()
      expect(await registry.trash.remove(namespace, id)).toMatchObject({ id, kind: "job", bytes: 6 })
      await expect(jobs.restore(namespace, id)).rejects.toMatchObject({ code: "not_found" })
      expect((await jobs.listDiscarded(9)).map((job) => job.id)).toEqual([id])
      await jobs.remove(id)
      expect([await jobs.isStored(id), await jobs.listDiscarded(9), await trashOf(namespace)]).toEqual([false, [], []])
      const later = await endJob("later")
      await later.discard()
      expect(await registry.trash.empty("later")).toEqual({ filesets: 0, jobs: 1, bytes: 6 })
      await jobs.remove(later.id)
      const old = await endJob("old")
      await old.discard()
      await test.pass(DAY_MS)
      await registry.trash.sweep()
      expect((await jobs.listDiscarded(9)).map((job) => job.id)).toEqual([old.id])
      await expect(jobs.restore("old", old.id)).rejects.toMatchObject({ code: "not_found" })
      await registry.workspaces.remove("old", { cascade: false })
      expect(await jobs.isStored(old.id)).toBe(false)
      const leftovers = () => readdir(join(test.folder, "storage/.trash")).catch(() => [])
      await expect.poll(leftovers).toEqual([])
    },
  )

  it(
    "lose their inline keys in the trash, and say so when they would need them",
    verifies("trash.jobs-keys"),
    async () => {
      const name = "eval-key-3QJmnh8Y1kGqvS4cQKFJ2b"
      const model = { api_endpoint: { url: "https://models.example/v1", model_id: "m", api_key_secret: name } }
      const { id, namespace, discard } = await endJob("keyed", { type: "model", model })
      await registry.secrets.create(namespace, { name, value: "v" }, { owner: id })
      await discard()
      await expect(registry.secrets.resolve(namespace, name)).rejects.toThrow()
      await jobs.restore(namespace, id)
      await expect(jobs.restart(id, { kind: "retry-failed" })).rejects.toMatchObject({
        code: "secret_not_readable",
        message: expect.stringContaining("launched with an inline key"),
      })
      expect(await jobs.restart(id, { kind: "score", metrics: { t: { m: { type: "f1" } } } })).toMatchObject({ id })
    },
  )

  it("are not in the trash while they run, or if the database can't record it", verifies("trash.crash"), async () => {
    const { id } = await jobs.create(JOB)
    const running = { by: "", resultsFileset: undefined }
    await expect(jobs.discard(id, running)).rejects.toMatchObject({ code: "job_not_final" })
    await jobs.cancel(id)
    const raced = await endJob("raced")
    const both = await Promise.allSettled([raced.discard(), jobs.restart(raced.id, { kind: "retry-failed" })])
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    expect(await trashOf("raced")).toHaveLength(both[0].status === "fulfilled" ? 1 : 0)
    const ended = await endJob("failing")
    const tables = await test.openTables()
    // The last statement of the transaction fails: the id is taken.
    await tables.write((queries) => queries.insertInto("trash_entries").values(ENTRY(ended.id)).execute())
    await expect(ended.discard()).rejects.toThrow()
    await tables.write((queries) => queries.deleteFrom("trash_entries").where("id", "=", ended.id).execute())
    expect((await jobs.get(ended.id)).id).toBe(ended.id)
    // On a database of several servers, the files move back in the background.
    const text = async () => textOf((await registry.files.read("failing", ended.resultsFileset, PATH)).bytes)
    await expect.poll(text).toBe("scores")
  })

  it(
    "prevent the removal of their workspace, and are removed with it",
    verifies("workspaces.delete.in-use", "workspaces.delete.cascade"),
    async () => {
      await registry.workspaces.create({ name: "held" })
      const { id } = await jobs.create({ ...JOB, namespace: "held" })
      const run = await jobs.claim(id)
      await expect(registry.workspaces.remove("held", { cascade: false })).rejects.toMatchObject({
        code: "in_use",
        message: expect.stringContaining("contains 1 evaluation job;"),
      })
      await registry.workspaces.remove("held", { cascade: true })
      await expect(jobs.get(id)).rejects.toMatchObject({ code: "not_found" })
      expect(await run?.beat()).toBeUndefined()
      expect(await jobs.listEvents(id, 0, 1)).toEqual([])
    },
  )
})
