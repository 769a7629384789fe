import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import type { JobQuery } from "./jobs.ts"

describe.each(DATABASE_KINDS)("the list of evaluation jobs on %s", (kind) => {
  let test: TestRegistry
  const times: number[] = []
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    await test.registry.workspaces.create({ name: "other" })
    const { jobs } = test.registry
    for (const [id, namespace] of Object.entries({ a: "default", b: "other", c: "default" })) {
      times.push(test.clock.time)
      await jobs.create({ ...JOB, id, namespace, description: `Job 50% of ${id}`, project: "p" })
    }
    await jobs.cancel("a")
    await jobs.create({ ...JOB, id: "d", target: { type: "rows" } })
  })
  afterAll(() => test.remove())

  const ids = async (query: Partial<JobQuery>, visible: "all" | string[] = "all") => {
    const all = { page: 1, page_size: 10, sort: "created_at" as const }
    const { data, pagination } = await test.registry.jobs.list({ ...all, ...query }, visible)
    return [data.map(({ id }) => id).join(""), pagination.total_results]
  }

  it("is sorted by age or by the last change, in pages", async () => {
    expect(await ids({})).toEqual(["abcd", 4])
    expect(await ids({ sort: "-created_at", page: 2, page_size: 3 })).toEqual(["a", 4])
    expect(await ids({ sort: "updated_at" })).toEqual(["bcad", 4])
    expect(await ids({ sort: "-updated_at" })).toEqual(["dacb", 4])
  })

  it("shows only visible jobs", async () => {
    expect(await ids({}, ["other", "nowhere"])).toEqual(["b", 1])
    expect(await ids({}, [])).toEqual(["", 0])
  })

  it("is filtered by namespace, status, target, config and time", async () => {
    expect(await ids({ filter: { namespace: "other" } })).toEqual(["b", 1])
    await expect(ids({ filter: { namespace: "nowhere" } })).rejects.toMatchObject({ code: "not_found" })
    expect(await ids({ filter: { status: ["CANCELLED", "FAILED"] } })).toEqual(["a", 1])
    expect(await ids({ filter: { status: [] } })).toEqual(["", 0])
    expect(await ids({ filter: { target: "given" } })).toEqual(["abc", 3])
    expect(await ids({ filter: { target: "other/given" } })).toEqual(["b", 1])
    expect(await ids({ filter: { config: "checks" } })).toEqual(["", 0])
    expect(await ids({ filter: { config: "system/checks", namespace: "default" } })).toEqual(["acd", 3])
    expect(await ids({ filter: { created_at: { from: (times[1] ?? 0) + 1 } } })).toEqual(["bcd", 3])
    expect(await ids({ filter: { created_at: { to: times[1] ?? 0 } } })).toEqual(["a", 1])
  })

  it("can be searched in several fields, all of which must match", async () => {
    expect(await ids({ search: { description: "JOB 50% of b" } })).toEqual(["b", 1])
    expect(await ids({ search: { description: "50_" } })).toEqual(["", 0])
    expect(await ids({ search: { target: "GIV", namespace: "fault" } })).toEqual(["ac", 2])
    expect(await ids({ search: { status: "cancel" } })).toEqual(["a", 1])
  })
})
