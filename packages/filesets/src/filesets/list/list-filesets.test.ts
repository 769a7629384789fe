import { FILESET_SORTS, PURPOSES, type Fileset, type FilesetSort, type Filter } from "@assay/schemas"
import { filesetArbitrary, filterArbitrary, matchesFilter } from "@assay/schemas/testing"
import { compareCodePoints } from "@assay/storage"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import type { FilesetQuery } from "../filesets.ts"
import { DATABASE_KINDS, insertFilesets } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../../testing/test-registry.ts"

const NEWEST: FilesetQuery = { page: 1, page_size: 10, sort: "-created_at" }

describe.each(DATABASE_KINDS)("listing filesets on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let tables: Database
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    tables = await test.openTables()
    await registry.workspaces.create({ name: "other" })
  })
  afterEach(() => test.remove())

  const named = (filesets: readonly Fileset[]) => filesets.map(({ name }) => name)
  const create = (...names: string[]) => Promise.all(names.map((name) => registry.filesets.create("default", { name })))

  async function store(filesets: readonly Fileset[]): Promise<void> {
    await tables.write(async (queries) => {
      await queries.deleteFrom("filesets").execute()
      await insertFilesets(queries, filesets)
    })
  }

  it(
    "returns pages with all five pagination integers and the sort order",
    verifies("filesets.list.page", "filesets.list.pagination", "filesets.list.echo-sort", "brief.page.pagination"),
    async () => {
      for (const name of ["a", "b", "c", "d", "e"]) await create(name)
      const { data, ...page } = await registry.filesets.list("default", { ...NEWEST, page: 2, page_size: 2 }, "all")
      expect(named(data)).toEqual(["c", "b"])
      expect(page).toEqual({
        pagination: { page: 2, page_size: 2, current_page_size: 2, total_pages: 3, total_results: 5 },
        sort: "-created_at",
      })
    },
  )

  it("returns the filter in canonical form if there is one", verifies("filesets.list.echo-filter"), async () => {
    const filter = equals("purpose", "dataset")
    expect(await registry.filesets.list("default", { ...NEWEST, filter }, "all")).toMatchObject({
      filter: { purpose: "dataset" },
    })
    expect(await registry.filesets.list("default", NEWEST, "all")).not.toHaveProperty("filter")
  })

  it(
    "returns no pages if it is empty, and no data past the end",
    verifies("filesets.list.empty", "filesets.list.page-past-end"),
    async () => {
      const empty = await registry.filesets.list("default", NEWEST, "all")
      expect(empty.pagination).toMatchObject({ total_pages: 0, total_results: 0, current_page_size: 0 })
      await create("a", "b")
      for (const page of [2, 50, Number.MAX_SAFE_INTEGER]) {
        const { data, pagination } = await registry.filesets.list("default", { ...NEWEST, page }, "all")
        expect([data, pagination]).toEqual([
          [],
          { page, page_size: 10, current_page_size: 0, total_pages: 1, total_results: 2 },
        ])
      }
    },
  )

  it(
    "distinguishes a missing workspace from an empty one, and hides invisible ones",
    verifies("errors.workspace-missing", "auth.hidden"),
    async () => {
      const missing = { code: "not_found", message: "Workspace 'nowhere' not found" }
      await expect(registry.filesets.list("nowhere", NEWEST, "all")).rejects.toMatchObject(missing)
      await expect(registry.filesets.list("default", NEWEST, ["other"])).rejects.toMatchObject({ code: "not_found" })
      expect((await registry.filesets.list("other", NEWEST, ["other"])).data).toEqual([])
    },
  )

  it(
    "covers all visible workspaces if none is named",
    verifies("filesets.list.all-workspaces", "auth.listing"),
    async () => {
      await create("a")
      await registry.filesets.create("other", { name: "b" })
      await registry.filesets.create("system", { name: "c" })
      const list = async (visible: "all" | string[]) => {
        const { data, pagination } = await registry.filesets.list(undefined, NEWEST, visible)
        return [...named(data), pagination?.total_results]
      }
      expect(await list("all")).toEqual(["c", "b", "a", 3])
      expect(await list(["default", "system"])).toEqual(["c", "a", 2])
      expect(await list(["default", "nowhere"])).toEqual(["a", 1])
      expect(await list(["other"])).toEqual(["b", 1])
      expect(await list([])).toEqual([0])
    },
  )

  it("shares one read among equal requests, and none that began before a change", async () => {
    const list = () => registry.filesets.list("default", NEWEST, "all")
    await create("first")
    await list()
    for (let turn = 0; turn < 20; turn += 1) {
      const before = list()
      await create(`next-${turn}`)
      const after = await Promise.all([list(), list(), list()])
      expect(new Set(after).size).toBe(1)
      expect(after[0]?.data[0]?.name).toBe(`next-${turn}`)
      await before
      expect(await list()).toBe(after[0])
    }
  })

  it("sorts names by code point", verifies("filesets.list.name-by-code-point"), async () => {
    await create("b", "B", "a", "_", "a-", "a.")
    const { data } = await registry.filesets.list("default", { ...NEWEST, sort: "name" }, "all")
    expect(named(data)).toEqual(["B", "_", "a", "a-", "a.", "b"])
  })

  it("orders equal values by ascending id in both directions", verifies("filesets.list.ties-by-id"), async () => {
    test.clock.still = true
    const ids = (await create("a", "b", "c", "d")).map(({ id }) => id).toSorted()
    for (const sort of ["created_at", "-created_at"] as const) {
      const { data } = await registry.filesets.list("default", { ...NEWEST, sort }, "all")
      expect(data.map(({ id }) => id)).toEqual(ids)
    }
  })

  it(
    "returns every fileset once, in order, for every filter, sort order and page size",
    { ...verifies("filesets.list.sort", "filesets.list.stable-paging"), timeout: 60_000 },
    async () => {
      const filesets = fc.uniqueArray(filesetArbitrary(), {
        minLength: 10,
        maxLength: 30,
        comparator: (a, b) => a.id === b.id || (a.workspace === b.workspace && a.name === b.name),
      })
      const query = fc.record({
        sort: fc.constantFrom(...FILESET_SORTS),
        filter: fc.option(fc.oneof(filterArbitrary(), facetArbitrary), { nil: undefined }),
        scope: fc.constantFrom<Scope>(["default", "all"], [undefined, "all"], [undefined, ["default", "other"]]),
        page_size: fc.integer({ min: 1, max: 7 }),
      })
      const queries = fc.array(query, { minLength: 6, maxLength: 6 })
      await fc.assert(
        fc.asyncProperty(filesets, queries, async (filesets, queries) => {
          await store(filesets)
          for (const {
            scope: [workspace, visible],
            filter,
            sort,
            page_size,
          } of queries) {
            const expected = filesets
              .filter((fileset) => workspace === undefined || fileset.workspace === workspace)
              .filter((fileset) => filter === undefined || matchesFilter(fileset, filter))
              .toSorted(orderOf(sort))
            const last = Math.ceil(expected.length / page_size) + 1
            // Forwards with remembered marks, and one page without.
            for (const page of [last - 1, ...Array.from({ length: last }, (_, index) => index + 1)].filter(Boolean)) {
              const asked = { page, page_size, sort, ...(filter === undefined ? {} : { filter }) }
              const { data, pagination } = await registry.filesets.list(workspace, asked, visible)
              const start = (page - 1) * page_size
              expect(data).toEqual(expected.slice(start, start + page_size))
              expect(pagination?.total_results).toBe(expected.length)
            }
          }
        }),
        { numRuns: 15 },
      )
    },
  )

  it("sees every change at once, on another server too", async () => {
    const another = await test.openAnother()
    const like: Filter = {
      kind: "comparison",
      field: { column: "name", path: [] },
      operator: "$like",
      operands: [{ readings: ["set"], written: "set" }],
    }
    const servers = [registry, another]
    const present = new Map<string, string>()
    const step = fc.record({
      server: fc.constantFrom(0, 1),
      name: fc.constantFrom(...Array.from({ length: 12 }, (_, n) => `set-${n}`)),
      purpose: fc.constantFrom("dataset", "model"),
      page: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 20 }), async (steps) => {
        for (const { server, name, purpose, page } of steps) {
          const writer = servers[server] ?? registry
          const reader = servers[1 - server] ?? registry
          if (!present.has(name)) await writer.filesets.create("default", { name, purpose })
          else if (present.get(name) === purpose) await writer.filesets.remove("default", name)
          else await writer.filesets.update("default", name, { purpose })
          if (present.get(name) === purpose) present.delete(name)
          else present.set(name, purpose)

          const names = [...present.keys()].toSorted(compareCodePoints)
          const models = names.filter((name) => present.get(name) === "model")
          const query = { page, page_size: 3, sort: "name" } as const
          for (const [filter, expected] of [
            [undefined, names],
            [equals("purpose", "model"), models],
            [like, names],
          ] as const) {
            for (const registry of [reader, writer]) {
              const read = await registry.filesets.list("default", { ...query, ...(filter && { filter }) }, "all")
              expect(named(read.data)).toEqual(expected.slice((page - 1) * 3, page * 3))
              expect(read.pagination?.total_results).toBe(expected.length)
            }
          }
        }
      }),
      { numRuns: 4 },
    )
  }, 60_000)

  it("counts filesets correctly that are made and removed concurrently on two servers", async () => {
    const servers = [registry, await test.openAnother()]
    const names = Array.from({ length: 60 }, (_, n) => `f${n}`)
    await Promise.all(
      names.map(async (name, n) => {
        const purpose = PURPOSES[n % 3] ?? "generic"
        await servers[n % 2]?.filesets.create(n % 3 > 0 ? "default" : "other", { name, purpose })
      }),
    )
    await Promise.all(names.filter((_, n) => n % 3 === 1).map((name) => registry.filesets.remove("default", name)))
    await Promise.all(
      names
        .filter((_, n) => n % 3 === 2)
        .map((name) => registry.filesets.update("default", name, { purpose: "generic" })),
    )
    const total = async (workspace: string | undefined, filter?: Filter) =>
      (await registry.filesets.list(workspace, { ...NEWEST, ...(filter && { filter }) }, "all")).pagination
        ?.total_results
    expect(await total("default")).toBe(20)
    expect(await total("other", equals("purpose", "dataset"))).toBe(20)
    expect(await total("default", equals("purpose", "model"))).toBe(0)
    expect(await total("default", equals("purpose", "generic"))).toBe(20)
    expect(await total(undefined)).toBe(40)
  })
})

type Scope = readonly [workspace: string | undefined, visible: "all" | readonly string[]]

function equals(column: "purpose" | "storage_type", value: string): Filter {
  return {
    kind: "comparison",
    field: { column, path: [] },
    operator: "$eq",
    operands: [{ readings: [value], written: value }],
  }
}

const facetArbitrary = fc.constantFrom<Filter>(
  equals("purpose", "model"),
  equals("storage_type", "local"),
  { kind: "and", filters: [equals("purpose", "dataset"), equals("storage_type", "hub")] },
  { kind: "and", filters: [equals("purpose", "dataset"), equals("purpose", "dataset")] },
)

function orderOf(sort: FilesetSort): (a: Fileset, b: Fileset) => number {
  const column = sort.endsWith("name") ? "name" : "created_at"
  const sign = sort.startsWith("-") ? -1 : 1
  return (a, b) => sign * compareCodePoints(a[column], b[column]) || compareCodePoints(a.id, b.id)
}
