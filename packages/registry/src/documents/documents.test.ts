import type { GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import type { Documents } from "./documents.ts"

const PAGE = { page: 1, page_size: 10 }
// Unordered keys, and text that a text column can't store.
const DATA: GuardrailData = {
  rails: { input: { flows: ["self check input"] } },
  models: [{ type: "main", parameters: { z: 1, a: "\0\ud800" } }],
}

describe.each(DATABASE_KINDS)("documents on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let documents: Documents<GuardrailData>
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    documents = registry.guardrailConfigurations
  })
  afterAll(() => test.remove())

  it("can be created, read, changed and removed", verifies("rails.configs-routes"), async () => {
    const made = await documents.create("default", { name: "d", data: DATA })
    expect(made).toEqual({
      id: expect.stringMatching(/^guardrail-/),
      name: "d",
      workspace: "default",
      project: "",
      description: "",
      data: DATA,
      created_at: made.updated_at,
      updated_at: expect.stringMatching(/^2026-11-20T/),
    })
    expect(JSON.stringify((await documents.get("default", "d")).data)).toBe(JSON.stringify(DATA))
    const changed = await documents.update("default", "d", { description: "new", project: "p" })
    expect(changed).toEqual({ ...made, description: "new", project: "p", updated_at: changed.updated_at })
    expect(changed.updated_at > made.updated_at).toBe(true)
    const data = { ...DATA, refusal: "no" }
    const emptied = await documents.update("default", "d", { description: null, data })
    expect(emptied).toMatchObject({ description: "", project: "p", data })
    expect(await documents.update("default", "d", {})).toEqual(emptied)
    const stale = documents.update("default", "d", { project: "q", unchangedSince: made.updated_at })
    await expect(stale).rejects.toMatchObject({ code: "precondition_failed" })
    const { updated_at: unchangedSince } = emptied
    const kept = await documents.update("default", "d", { project: "q", unchangedSince })
    expect(await documents.remove("default", "d")).toEqual(kept)
    const missing = { code: "not_found", message: "Guardrail configuration 'd' not found in workspace 'default'" }
    await expect(documents.get("default", "d")).rejects.toMatchObject(missing)
    await expect(documents.update("default", "d", { project: "" })).rejects.toMatchObject(missing)
    await expect(documents.remove("default", "d")).rejects.toMatchObject(missing)
  })

  it("are returned as the same object from the second time on, until this or another server changes them", async () => {
    await documents.create("default", { name: "same", data: DATA })
    const first = await documents.get("default", "same")
    const second = await documents.get("default", "same")
    expect(second).toEqual(first)
    expect(second).not.toBe(first)
    expect(await documents.get("default", "same")).toBe(second)
    const another = await test.openAnother()
    await another.guardrailConfigurations.update("default", "same", { description: "other" })
    expect(await documents.get("default", "same")).toMatchObject({ description: "other" })
  })

  it("have unique names in a workspace", verifies("requests.duplicate-name"), async () => {
    await documents.create("default", { name: "twice", data: DATA })
    await documents.create("system", { name: "twice", data: DATA })
    await expect(documents.create("default", { name: "twice", data: DATA })).rejects.toMatchObject({
      code: "already_exists",
      message: "Guardrail configuration 'default/twice' already exists",
    })
  })

  it(
    "can't be created in a missing workspace",
    verifies("errors.create-in-missing-workspace", "errors.workspace-missing"),
    async () => {
      await expect(documents.create("nowhere", { name: "d", data: DATA })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["path", "workspace"] }],
      })
      const missing = { code: "not_found", message: "Workspace 'nowhere' not found" }
      await expect(documents.list("nowhere", PAGE)).rejects.toMatchObject(missing)
      await expect(documents.get("nowhere", "d")).rejects.toMatchObject(missing)
    },
  )

  it("are listed by name in pages, after leading records", async () => {
    await registry.workspaces.create({ name: "many" })
    for (const name of ["b", "c", "a"]) await documents.create("many", { name, data: DATA })
    const page = async (number: number, page_size: number, leading?: number) => {
      const query = { page: number, page_size, ...(leading === undefined ? {} : { leading }) }
      const { data, pagination } = await documents.list("many", query)
      return [data.map(({ name }) => name).join(""), pagination.current_page_size, pagination.total_results]
    }
    expect(await page(1, 2)).toEqual(["ab", 2, 3])
    expect(await page(2, 2)).toEqual(["c", 1, 3])
    expect(await page(1, 1, 2)).toEqual(["", 1, 5])
    expect(await page(2, 1, 2)).toEqual(["", 1, 5])
    expect(await page(1, 3, 2)).toEqual(["a", 3, 5])
    expect(await page(2, 3, 2)).toEqual(["bc", 2, 5])
    expect(await page(3, 3, 2)).toEqual(["", 0, 5])
  })

  it(
    "are removed with their workspace, and do not prevent its removal",
    verifies("workspaces.delete.configurations"),
    async () => {
      await registry.workspaces.create({ name: "held" })
      await documents.create("held", { name: "d", data: DATA })
      await registry.workspaces.remove("held", { cascade: false })
      await registry.workspaces.create({ name: "held" })
      expect((await documents.list("held", PAGE)).data).toEqual([])
    },
  )

  it("can't contain text that a database can't store", async () => {
    const wrong = documents.create("default", { name: "odd", description: "a\0b", data: DATA })
    await expect(wrong).rejects.toMatchObject({ code: "invalid_request", issues: [{ loc: ["body", "description"] }] })
  })
})
