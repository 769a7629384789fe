import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { DATABASE_KINDS, listeningConnections } from "@assay/database/testing"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import { addEvents } from "./job-events.ts"
import { createJobWatches, type JobWatches } from "./job-watches.ts"
import type { Jobs } from "./jobs.ts"

const FOREVER = { maxMs: 3_600_000, signal: new AbortController().signal }
const BRIEFLY = { ...FOREVER, maxMs: 1 }
/** The number of the event that `create` adds. */
const CREATED = 1

async function create(jobs: Jobs): Promise<string> {
  return (await jobs.create(JOB)).id
}

describe.each(DATABASE_KINDS)("a watch of a job on %s", (kind) => {
  let test: TestRegistry
  let jobs: Jobs
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    jobs = test.registry.jobs
  })
  afterAll(() => test.remove())

  it("wakes for events and the removal of its job, and not for other jobs", verifies("eval.events.wake"), async () => {
    const [watched, other] = [await create(jobs), await create(jobs)]
    using watch = jobs.watch(watched)
    using otherWatch = jobs.watch(other)
    const changed = watch.changed(CREATED, FOREVER)
    await jobs.cancel(watched)
    expect(await changed).toBe(true)
    const { seq = 0 } = (await jobs.listEvents(watched, CREATED, 10)).at(-1) ?? {}
    const removed = watch.changed(seq, FOREVER)
    await jobs.remove(watched)
    expect(await removed).toBe(true)
    expect(await otherWatch.changed(CREATED, BRIEFLY)).toBe(false)
  })

  it("wakes by a notice, without a statement", verifies("eval.events.wake"), async () => {
    const database = await test.openTables()
    const [watched, other] = [await create(jobs), await create(jobs)]
    await using watches = await listenOnly(database)
    using watch = watches.watch(watched)
    using otherWatch = watches.watch(other)
    const changed = watch.changed(CREATED, FOREVER)
    await database.write(async (queries) => {
      await addEvents(queries, watched, [{ kind: "log", data: {} }], 0)
      // A transaction sends its notices when it commits.
      expect(await otherWatch.changed(CREATED, BRIEFLY)).toBe(false)
    })
    expect(await changed).toBe(true)
    expect(await otherWatch.changed(CREATED, BRIEFLY)).toBe(false)
    // These events are known already.
    expect(await watch.changed(2, BRIEFLY)).toBe(false)
  })

  it("notices what happens before its caller waits", verifies("eval.events.wake"), async () => {
    const id = await create(jobs)
    using watch = jobs.watch(id)
    using after = jobs.watch(id)
    await jobs.cancel(id)
    expect(await after.changed(CREATED, FOREVER)).toBe(true)
    expect(await watch.changed(CREATED, FOREVER)).toBe(true)
    expect(await watch.changed(2, BRIEFLY)).toBe(false)
  })

  it("ends its wait when the signal aborts", async () => {
    using watch = jobs.watch(await create(jobs))
    const leaving = new AbortController()
    const waiting = watch.changed(CREATED, { ...FOREVER, signal: leaving.signal })
    leaving.abort()
    expect(await waiting).toBe(false)
    expect(await watch.changed(CREATED, { ...FOREVER, signal: leaving.signal })).toBe(false)
  })

  it("costs one statement for all jobs while no notices arrive", verifies("eval.events.wake"), async () => {
    const database = await test.openTables()
    let reads = 0
    const watches = createJobWatches({
      notices: { listen: () => async () => {} },
      read: (work) => {
        reads++
        return database.read(work)
      },
    })
    const ids = await Promise.all(Array.from({ length: 50 }, () => create(jobs)))
    await jobs.cancel(ids[7] ?? "")
    const woken: string[] = []
    const all = ids.map((id) => ({ id, watch: watches.watch(id) }))
    const waits = all.map(async ({ id, watch }) => {
      if (await watch.changed(CREATED, FOREVER)) woken.push(id)
    })
    await waits[7]
    expect([woken, reads]).toEqual([[ids[7]], 1])
    await watches.close()
  })
})

/** Opens watches that hear notices and cannot look at records. */
async function listenOnly({ notices }: Pick<Database, "notices">): Promise<JobWatches & AsyncDisposable> {
  const hearing = Promise.withResolvers<void>()
  const watches = createJobWatches({
    notices: {
      listen: (listener) =>
        notices.listen({
          ...listener,
          onHearing(hears) {
            listener.onHearing(hears)
            if (hears) hearing.resolve()
          },
        }),
    },
    read: () => Promise.reject(new Error("The records can't be read.")),
  })
  // The first watch starts to listen.
  watches.watch("none")[Symbol.dispose]()
  await hearing.promise
  return { ...watches, [Symbol.asyncDispose]: () => watches.close() }
}

describe("the watches of servers that share a database", () => {
  let test: TestRegistry
  beforeAll(async () => {
    test = await createTestRegistry("postgres")
  })
  afterAll(() => test.remove())

  const listeners = () => listeningConnections(test.database).list()

  it(
    "wake for events of another server, and open one connection for each server",
    verifies("eval.events.wake"),
    async () => {
      const { jobs } = test.registry
      const other = (await test.openAnother()).jobs
      const ids = await Promise.all(Array.from({ length: 20 }, () => create(jobs)))
      const watches = ids.map((id) => jobs.watch(id))
      const changes = watches.map((watch) => watch.changed(CREATED, FOREVER))
      for (const id of ids) await other.cancel(id)
      expect(new Set(await Promise.all(changes))).toEqual(new Set([true]))
      await expect.poll(listeners).toHaveLength(1)
      for (const watch of watches) watch[Symbol.dispose]()
    },
  )

  it("wake for the removal of a job by another server", verifies("eval.events.wake"), async () => {
    const { jobs } = test.registry
    const id = await create(jobs)
    await jobs.cancel(id)
    const { seq = 0 } = (await jobs.listEvents(id, 0, 10)).at(-1) ?? {}
    await using watches = await listenOnly(await test.openTables())
    using watch = watches.watch(id)
    const changed = watch.changed(seq, FOREVER)
    await jobs.remove(id)
    expect(await changed).toBe(true)
  })

  it("survive the loss of this connection, and miss nothing meanwhile", verifies("eval.events.wake"), async () => {
    const { jobs } = test.registry
    const id = await create(jobs)
    using watch = jobs.watch(id)
    await expect.poll(listeners).toHaveLength(1)
    const before = await listeners()
    const changed = watch.changed(CREATED, FOREVER)
    await listeningConnections(test.database).terminate()
    await jobs.cancel(id)
    expect(await changed).toBe(true)
    expect(test.warnings).toContainEqual(expect.stringContaining("delivers no notices"))
    await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1)
    expect(await listeners()).not.toEqual(before)
  })
})
