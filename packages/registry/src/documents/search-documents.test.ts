import type { EvaluationTargetBody } from "@assay/schemas"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { VisibleWorkspaces } from "@assay/database"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import type { Documents } from "./documents.ts"
import type { DocumentQuery } from "./search-documents.ts"

const EVERYTHING: DocumentQuery["where"] = { equals: {}, contains: {} }
// Text that a JSON column can't store.
const MODEL: EvaluationTargetBody = { type: "model", odd: "\0" } as EvaluationTargetBody
const ROWS: EvaluationTargetBody = { type: "rows", rows: [{ type: "model" }] }

describe.each(DATABASE_KINDS)("searching documents on %s", (kind) => {
  let test: TestRegistry
  let targets: Documents<EvaluationTargetBody>
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    targets = test.registry.evaluationTargets
    await test.registry.workspaces.create({ name: "other" })
    await targets.create("default", { name: "a", data: MODEL, project: "p" })
    await targets.create("other", { name: "b_x", data: ROWS, description: "Found" })
    await targets.create("other", { name: "cxx", data: MODEL })
  })
  afterAll(() => test.remove())

  const names = async (where: Partial<DocumentQuery["where"]>, visible: VisibleWorkspaces = "all") => {
    const query: DocumentQuery = { page: 1, page_size: 10, sort: "created_at", where: { ...EVERYTHING, ...where } }
    const { data, pagination } = await targets.search(query, visible)
    expect(pagination.total_results).toBe(data.length)
    return data.map(({ name }) => name).join(" ")
  }

  it("finds them in every visible workspace", async () => {
    expect(await names({})).toBe("a b_x cxx")
    expect(await names({}, ["other", "none"])).toBe("b_x cxx")
    expect(await names({}, [])).toBe("")
  })

  it("finds them by values, parts of texts and times", async () => {
    expect(await names({ equals: { type: "model" } })).toBe("a cxx")
    expect(await names({ equals: { type: "mode" } })).toBe("")
    expect(await names({ equals: { namespace: "other", name: "cxx" } })).toBe("cxx")
    expect(await names({ equals: { project: "p" } })).toBe("a")
    expect(await names({ contains: { name: "B_" } })).toBe("b_x")
    expect(await names({ contains: { description: "found", namespace: "oth" } })).toBe("b_x")
    const { created_at } = await targets.get("other", "b_x")
    const moment = Date.parse(created_at)
    expect(await names({ created_at: { from: moment } })).toBe("b_x cxx")
    expect(await names({ created_at: { to: moment } })).toBe("a b_x")
  })

  it("returns pages in both orders", async () => {
    const query: DocumentQuery = { page: 2, page_size: 2, sort: "-updated_at", where: EVERYTHING }
    const { data, pagination } = await targets.search(query, "all")
    expect(data.map(({ name }) => name)).toEqual(["a"])
    expect(pagination).toMatchObject({ page: 2, current_page_size: 1, total_results: 3 })
  })

  it("finds a document without a given name under its id", async () => {
    const { id, name } = await targets.create("system", { data: ROWS })
    expect(id).toMatch(/^eval-target-/)
    expect(name).toBe(id)
    await targets.remove("system", name)
  })
})
