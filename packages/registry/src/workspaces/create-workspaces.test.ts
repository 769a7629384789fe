import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"

const PAGE = { page: 1, page_size: 100 }

describe.each(DATABASE_KINDS)("workspaces on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
  })
  afterAll(() => test.remove())

  it(
    "include default and system from the start, also when the registry is opened again",
    verifies("workspaces.built-in.exist"),
    async () => {
      const { data, pagination } = await registry.workspaces.list(PAGE, "all")
      expect(data.map(({ name }) => name)).toEqual(["default", "system"])
      expect(pagination).toEqual({ page: 1, page_size: 100, current_page_size: 2, total_pages: 1, total_results: 2 })
      const another = await test.openAnother()
      expect((await another.workspaces.list(PAGE, "all")).data).toEqual(data)
    },
  )

  it(
    "can be created, read, changed and removed",
    verifies("workspaces.delete.answers-record", "errors.workspace-missing", "wire.timestamps"),
    async () => {
      const made = await registry.workspaces.create({ name: "life", description: "first" })
      expect(made).toEqual({
        id: expect.stringMatching(/^workspace-/),
        name: "life",
        description: "first",
        created_at: made.updated_at,
        updated_at: expect.stringMatching(/^2026-11-20T00:00:00\.\d{3}Z$/),
      })
      expect(await registry.workspaces.get("life")).toEqual(made)
      const changed = await registry.workspaces.update("life", { description: "second" })
      expect(changed).toEqual({ ...made, description: "second", updated_at: changed.updated_at })
      expect(changed.updated_at > made.updated_at).toBe(true)
      expect(await registry.workspaces.remove("life", { cascade: false })).toEqual(changed)
      const missing = { code: "not_found", message: "Workspace 'life' not found" }
      await expect(registry.workspaces.get("life")).rejects.toMatchObject(missing)
      await expect(registry.workspaces.update("life", { description: "" })).rejects.toMatchObject(missing)
      await expect(registry.workspaces.remove("life", { cascade: true })).rejects.toMatchObject(missing)
    },
  )

  it("have unique names", verifies("requests.duplicate-name"), async () => {
    await expect(registry.workspaces.create({ name: "default" })).rejects.toMatchObject({
      code: "already_exists",
      message: "Workspace 'default' already exists",
    })
  })

  it("are listed by name in pages, and only the visible ones", async () => {
    for (const name of ["zeta", "alpha"]) await registry.workspaces.create({ name })
    const second = await registry.workspaces.list({ page: 2, page_size: 3 }, "all")
    expect(second.data.map(({ name }) => name)).toEqual(["zeta"])
    expect(second.pagination).toMatchObject({ total_results: 4, total_pages: 2, current_page_size: 1 })
    const some = await registry.workspaces.list(PAGE, ["zeta", "default", "nowhere"])
    expect(some.data.map(({ name }) => name)).toEqual(["default", "zeta"])
    expect((await registry.workspaces.list(PAGE, [])).pagination).toMatchObject({ total_results: 0, total_pages: 0 })
  })

  it("can be filtered and sorted in a listing", verifies("workspaces.list.filters"), async () => {
    await registry.workspaces.create({ name: "mid", description: "Vision data" })
    const names = async (query: object) =>
      (await registry.workspaces.list({ ...PAGE, ...query }, "all")).data.map(({ name }) => name)
    const where = (equals: object, contains: object = {}, more: object = {}) => ({
      where: { equals, contains, ...more },
    })
    expect(await names({ sort: "-name" })).toEqual(["zeta", "system", "mid", "default", "alpha"])
    expect((await names({ sort: "-created_at" }))[0]).toBe("mid")
    expect(await names(where({ name: "zeta" }))).toEqual(["zeta"])
    expect(await names(where({ description: "Vision data" }))).toEqual(["mid"])
    expect(await names(where({}, { description: "vISION" }))).toEqual(["mid"])
    expect(await names(where({}, { name: "%" }))).toEqual([])
    expect(await names(where({}, {}, { created_at: { to: 0 } }))).toEqual([])
    const hidden = await registry.workspaces.list({ ...PAGE, ...where({}, { name: "a" }) }, ["zeta"])
    expect(hidden.data.map(({ name }) => name)).toEqual(["zeta"])
  })

  it.each(["default", "system"])(
    "can't be removed if they are built in: %s",
    verifies("workspaces.built-in.stay"),
    async (name) => {
      await expect(registry.workspaces.remove(name, { cascade: true })).rejects.toMatchObject({
        code: "in_use",
        message: `Workspace '${name}' is built in and can't be deleted`,
      })
    },
  )

  it(
    "can't be removed while they contain a fileset or a secret, but can with only projects",
    verifies("workspaces.delete.in-use"),
    async () => {
      await registry.workspaces.create({ name: "held" })
      await registry.projects.create("held", { name: "p" })
      await registry.filesets.create("held", { name: "f" })
      const refused = { code: "in_use", context: { workspace: "held", filesets: 1, secrets: 0 } }
      await expect(registry.workspaces.remove("held", { cascade: false })).rejects.toMatchObject(refused)
      await registry.filesets.remove("held", "f")
      await registry.secrets.create("held", { name: "s", value: "v" })
      await expect(registry.workspaces.remove("held", { cascade: false })).rejects.toMatchObject({ code: "in_use" })
      await registry.secrets.remove("held", "s")
      await registry.workspaces.remove("held", { cascade: false })
      await expect(registry.projects.get("held", "p")).rejects.toMatchObject({ message: "Workspace 'held' not found" })
    },
  )

  it(
    "are removed with all their records, bytes and counts if `cascade` is set",
    verifies("workspaces.delete.cascade"),
    async () => {
      await registry.workspaces.create({ name: "full" })
      await registry.secrets.create("full", { name: "s", value: "v" })
      // More filesets than one transaction removes.
      await Promise.all(Array.from({ length: 130 }, (_, n) => registry.filesets.create("full", { name: `f${n}` })))
      await registry.files.write("full", "f7", parseFilePath("a.txt"), bytesOf("a"))
      await registry.workspaces.remove("full", { cascade: true })
      expect(await readdir(join(test.folder, "storage/filesets/full")).catch(() => [])).toEqual([])
      await registry.workspaces.create({ name: "full" })
      const query = { page: 1, page_size: 10, sort: "name" } as const
      expect((await registry.filesets.list("full", query, "all")).pagination).toMatchObject({ total_results: 0 })
      expect((await registry.secrets.list("full", PAGE)).data).toEqual([])
      await registry.filesets.create("full", { name: "f7" })
      expect((await registry.files.list("full", "f7", {})).data).toEqual([])
    },
  )

  it("can't contain text that a database can't store", async () => {
    for (const description of ["a\0b", "\ud800"]) {
      await expect(registry.workspaces.create({ name: "odd", description })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["body", "description"], type: "unstorable_text" }],
      })
    }
  })
})
