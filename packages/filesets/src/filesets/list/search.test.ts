import type { Filter, FilterComparison, FilterOperator, FilterScalar } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { DATABASE_KINDS, insertFilesets, testFileset } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../../testing/test-registry.ts"

/** More than the maximum number of candidates. */
const MANY = 2100

describe.each(DATABASE_KINDS)("searching filesets by a part of their text on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let tables: Database
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    tables = await test.openTables()
    await registry.workspaces.create({ name: "other" })
    const common = Array.from({ length: MANY }, (_, n) => testFileset({ name: `common-${n}`, workspace: "other" }))
    const rare = [
      testFileset({ name: "Reviews-2024", description: "Straße in KÖLN, 100% of a_b" }),
      testFileset({ name: "reviews-2025", purpose: "model", description: "axb" }),
      testFileset({ name: "common-in-default", description: 'says "it\'s" here' }),
      testFileset({
        name: "with-fields",
        workspace: "system",
        custom_fields: { Team: "Größe XL", deep: { 'q"uote': "5", n: 55 }, tags: ["Größe XL"], ok: true },
        metadata: { model: { tool_calling: { tool_call_parser: "hermes" } } },
      }),
      testFileset({
        name: "with-long-fields",
        workspace: "system",
        custom_fields: { Team: "größe xl", text: "x".repeat(5000), n: 5 },
      }),
    ]
    await tables.write(async (queries) => {
      await insertFilesets(queries, [...common, ...rare])
    })
  })
  afterAll(() => test.remove())

  async function search(filter: Filter, workspace = "default") {
    const query = { page: 1, page_size: 5, sort: "name", filter } as const
    const { data, pagination } = await registry.filesets.list(workspace === "all" ? undefined : workspace, query, "all")
    expect(pagination?.total_results).toBeGreaterThanOrEqual(data.length)
    return { names: data.map(({ name }) => name), total: pagination?.total_results }
  }

  it(
    "finds it anywhere and in any case, also with few letters",
    verifies("filter.like", "brief.filter.name", "brief.filter.description"),
    async () => {
      const reviews = { names: ["Reviews-2024", "reviews-2025"], total: 2 }
      expect(await search(like("name", "VIEWS-202"))).toEqual(reviews)
      expect(await search(like("name", "vi"))).toEqual(reviews)
      expect(await search(like("description", "köln"))).toEqual({ names: ["Reviews-2024"], total: 1 })
      expect(await search(like("description", "ÖL"))).toEqual({ names: ["Reviews-2024"], total: 1 })
      expect(await search(like("name", "reviewer"))).toEqual({ names: [], total: 0 })
    },
  )

  it.each([undefined, ["other", "system"], ["other"]])(
    "returns every match of a broad filter once, in order, in pages over the workspaces %j",
    async (visible) => {
      for (const [filter, names] of [
        [like("name", "co"), Array.from({ length: MANY }, (_, n) => `common-${n}`)],
        [like("name", "-2"), Array.from({ length: MANY }, (_, n) => `common-${n}`).filter((name) => /-2/.test(name))],
      ] as const) {
        const expected = names.toSorted()
        const list = (page: number, sort: "name" | "-created_at") => {
          const query = { page, page_size: 50, sort, filter } as const
          return registry.filesets.list(visible === undefined ? "other" : undefined, query, visible ?? "all")
        }
        const last = Math.ceil(expected.length / 50)
        for (const page of [last, 1, 2, last + 1]) {
          const { data, pagination } = await list(page, "name")
          expect(data.map(({ name }) => name)).toEqual(expected.slice((page - 1) * 50, page * 50))
          expect(pagination?.total_results).toBe(expected.length)
        }
        const found: string[] = []
        for (let page = 1; page <= last; page++)
          found.push(...(await list(page, "-created_at")).data.map(({ name }) => name))
        expect(found.toSorted()).toEqual(expected)
      }
    },
  )

  it("takes wildcards and quotes literally", verifies("filter.like.literal"), async () => {
    const first = { names: ["Reviews-2024"], total: 1 }
    expect(await search(like("description", "a_b"))).toEqual(first)
    expect(await search(like("description", "100%"))).toEqual(first)
    expect(await search(like("description", "%"))).toEqual(first)
    const quoting = { names: ["common-in-default"], total: 1 }
    expect(await search(like("description", '"it\'s"'))).toEqual(quoting)
    expect(await search(like("description", "name_folded : x"))).toEqual({ names: [], total: 0 })
  })

  it("does not mix up fields", async () => {
    expect(await search(like("name", "köln"))).toEqual({ names: [], total: 0 })
  })

  it("finds text that is rare in the scope, and text that is common", async () => {
    expect(await search(like("name", "common"))).toEqual({ names: ["common-in-default"], total: 1 })
    const { names, total } = await search(like("name", "common"), "other")
    expect([names[0], names.length, total]).toEqual(["common-0", 5, MANY])
    expect((await search(like("name", "common"), "all")).total).toBe(MANY + 1)
  })

  it("works together with other conditions", async () => {
    const isModel = {
      ...like("name", ""),
      field: { column: "purpose", path: [] },
      operator: "$eq",
      ...value("model"),
    } as const
    const isReview = like("name", "reviews")
    expect((await search({ kind: "and", filters: [isReview, isModel] })).names).toEqual(["reviews-2025"])
    expect((await search({ kind: "or", filters: [like("name", "2024"), isModel] })).total).toBe(2)
    expect((await search({ kind: "or", filters: [like("name", "2024"), like("description", "axb")] })).total).toBe(2)
    expect((await search({ kind: "not", filter: isReview })).names).toEqual(["common-in-default"])
    const notBoth: Filter = { kind: "and", filters: [isReview, { kind: "not", filter: like("name", "2025") }] }
    expect((await search(notBoth)).names).toEqual(["Reviews-2024"])
  })

  it(
    "finds filesets by values in their maps of any length",
    verifies("filter.fields.dotted", "filter.typed-values", "filter.in-null"),
    async () => {
      const inMaps = (
        column: "custom_fields" | "metadata",
        path: string[],
        operator: FilterOperator,
        ...readings: FilterScalar[]
      ) =>
        search(
          { kind: "comparison", field: { column, path }, operator, operands: [{ readings, written: null }] },
          "system",
        )
      const custom = async (path: string, operator: FilterOperator, ...readings: FilterScalar[]) =>
        (await inMaps("custom_fields", path.split("."), operator, ...readings)).names
      expect(await custom("Team", "$eq", "Größe XL")).toEqual(["with-fields"])
      expect(await custom("Team", "$eq", "größe xl")).toEqual(["with-long-fields"])
      expect(await custom("team", "$eq", "Größe XL")).toEqual([])
      expect(await custom("Team", "$like", "ÖSSE")).toEqual([])
      expect(await custom("Team", "$like", "ÖßE x")).toEqual(["with-fields", "with-long-fields"])
      expect(await custom("tags", "$like", "größe")).toEqual([])
      expect(await custom("text", "$like", "xxx")).toEqual(["with-long-fields"])
      expect(await custom('deep.q"uote', "$eq", 5, "5")).toEqual(["with-fields"])
      expect(await custom("n", "$eq", 5)).toEqual(["with-long-fields"])
      expect(await custom("deep.n", "$in", 5, 55)).toEqual(["with-fields"])
      expect(await custom("n", "$in", 6, null)).toEqual(["with-fields"])
      expect(await custom("ok", "$eq", true)).toEqual(["with-fields"])
      expect((await inMaps("metadata", ["model", "tool_calling", "tool_call_parser"], "$like", "HERM")).names).toEqual([
        "with-fields",
      ])

      await registry.filesets.update("system", "with-fields", { custom_fields: { Team: "other" } })
      expect(await custom("Team", "$eq", "Größe XL")).toEqual([])
      expect(await custom("Team", "$eq", "other")).toEqual(["with-fields"])
      await registry.filesets.update("system", "with-long-fields", { custom_fields: { Team: "other" } })
      expect(await custom("Team", "$in", "other", "another")).toEqual(["with-fields", "with-long-fields"])
    },
  )

  it("finds changed descriptions, and no removed ones", async () => {
    await registry.filesets.create("system", { name: "moving", description: "at the beginning" })
    await registry.filesets.update("system", "moving", { description: "in the end" })
    expect(await search(like("description", "beginning"), "system")).toEqual({ names: [], total: 0 })
    expect(await search(like("description", "the END"), "system")).toEqual({ names: ["moving"], total: 1 })
    await registry.filesets.remove("system", "moving")
    expect(await search(like("description", "the end"), "system")).toEqual({ names: [], total: 0 })
    await registry.filesets.create("system", { name: "moving" })
    expect(await search(like("description", "the end"), "system")).toEqual({ names: [], total: 0 })
  })
})

function value(text: string): Pick<FilterComparison, "operands"> {
  return { operands: [{ readings: [text], written: text }] }
}

function like(column: "name" | "description", part: string): FilterComparison {
  return { kind: "comparison", field: { column, path: [] }, operator: "$like", ...value(part) }
}
