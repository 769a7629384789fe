import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"

describe.each(DATABASE_KINDS)("projects on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
  })
  afterAll(() => test.remove())

  it("can be created, read, changed and removed", verifies("projects.delete.answers-record"), async () => {
    const made = await registry.projects.create("default", { name: "p" })
    expect(made).toMatchObject({ name: "p", workspace: "default", description: "" })
    expect(await registry.projects.get("default", "p")).toEqual(made)
    const changed = await registry.projects.update("default", "p", { description: "new" })
    expect(changed).toEqual({ ...made, description: "new", updated_at: changed.updated_at })
    expect(changed.updated_at > made.updated_at).toBe(true)
    expect(await registry.projects.remove("default", "p")).toEqual(changed)
    const missing = { code: "not_found", message: "Project 'p' not found in workspace 'default'" }
    await expect(registry.projects.get("default", "p")).rejects.toMatchObject(missing)
    await expect(registry.projects.update("default", "p", { description: "" })).rejects.toMatchObject(missing)
    await expect(registry.projects.remove("default", "p")).rejects.toMatchObject(missing)
  })

  it("have unique names in a workspace", verifies("requests.duplicate-name"), async () => {
    await registry.projects.create("default", { name: "twice" })
    await registry.projects.create("system", { name: "twice" })
    await expect(registry.projects.create("default", { name: "twice" })).rejects.toMatchObject({
      code: "already_exists",
      message: "Project 'default/twice' already exists",
    })
  })

  it(
    "can't be created in a missing workspace",
    verifies("errors.create-in-missing-workspace", "errors.workspace-missing"),
    async () => {
      await expect(registry.projects.create("nowhere", { name: "p" })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["path", "workspace"], msg: expect.stringMatching(/^Workspace 'nowhere' does not exist/) }],
      })
      const missing = { code: "not_found", message: "Workspace 'nowhere' not found" }
      await expect(registry.projects.list("nowhere", { page: 1, page_size: 10 })).rejects.toMatchObject(missing)
      await expect(registry.projects.get("nowhere", "p")).rejects.toMatchObject(missing)
    },
  )

  it("are listed by name in pages", async () => {
    await registry.workspaces.create({ name: "many" })
    for (const name of ["b", "c", "a"]) await registry.projects.create("many", { name })
    const { data, pagination } = await registry.projects.list("many", { page: 1, page_size: 2 })
    expect(data.map(({ name }) => name)).toEqual(["a", "b"])
    expect(pagination).toMatchObject({ total_results: 3, total_pages: 2 })
    expect((await registry.projects.list("many", { page: 9, page_size: 2 })).data).toEqual([])
  })
})
