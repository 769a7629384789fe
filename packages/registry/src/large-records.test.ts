import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"

const LARGE = "a".repeat(12_000_000)
const SORTED = { sort: "created_at", page: 1 } as const

describe.each(DATABASE_KINDS)("a page of large records on %s", (kind) => {
  let test: TestRegistry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    const { jobs, evaluationTargets } = test.registry
    for (const name of ["a", "b", "c"]) {
      await jobs.create({ ...JOB, id: name, namespace: "default", target: { type: "rows", rows: [{ LARGE }] } })
      await evaluationTargets.create("default", { name, data: { type: "rows", rows: [{ LARGE }] } })
    }
  })
  afterAll(() => test.remove())

  it("is refused before it is read, and the error says how to get fewer records", async () => {
    const { jobs, evaluationTargets } = test.registry
    const refusal = { code: "too_large", message: expect.stringMatching(/The 10 records .* \d{8} bytes .*page_size/) }
    await expect(jobs.list({ ...SORTED, page_size: 10 }, "all")).rejects.toMatchObject(refusal)
    await expect(evaluationTargets.list("default", { page: 1, page_size: 10 })).rejects.toMatchObject(refusal)
    const where = { equals: {}, contains: {} }
    await expect(evaluationTargets.search({ ...SORTED, page_size: 10, where }, "all")).rejects.toMatchObject(refusal)
  })

  it("is returned if its own records are small, however large the others are", async () => {
    const { jobs, evaluationTargets } = test.registry
    const { data, pagination } = await jobs.list({ ...SORTED, page: 2, page_size: 2 }, "all")
    expect([data.map(({ id }) => id), pagination.total_results]).toEqual([["c"], 3])
    expect((await evaluationTargets.list("default", { page: 3, page_size: 1 })).data).toHaveLength(1)
  })

  it("can't be filled by filesets and models, whose size is limited", async () => {
    const { filesets, models } = test.registry
    const metadata = { model: { tool_calling: { chat_template: LARGE } } }
    const refusal = { code: "invalid_request", message: expect.stringContaining("characters as JSON") }
    await expect(filesets.create("default", { name: "x", custom_fields: { LARGE } })).rejects.toMatchObject(refusal)
    await expect(filesets.create("default", { name: "x", metadata })).rejects.toMatchObject(refusal)
    await filesets.create("default", { name: "x" })
    await expect(filesets.update("default", "x", { custom_fields: { LARGE } })).rejects.toMatchObject(refusal)
    const model = { name: "m", fileset: "x", custom_fields: { LARGE } }
    await expect(models.create("default", model)).rejects.toMatchObject(refusal)
  })
})
