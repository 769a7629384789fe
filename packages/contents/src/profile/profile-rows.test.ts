import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeRowFolder } from "../testing/row-folder.ts"
import { createColumnTree } from "./column-tree.ts"
import { profileRows, type ProfileProgress } from "./profile-rows.ts"

async function profileOf(rows: readonly unknown[]) {
  const { storage } = await makeRowFolder({ "a.jsonl": rows.map((row) => JSON.stringify(row)).join("\n") })
  return profileRows({ storage })
}

describe("a profile of rows", () => {
  it("has a histogram of the numbers of a column", verifies("contents.profile.histogram"), async () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ n, kind: n % 20, text: `row ${n}` }))
    const { columns } = await profileOf(rows)
    expect(columns.map(({ histogram }) => histogram?.bins.length)).toEqual([15, undefined, undefined])
    expect(columns[0]?.histogram?.bins[0]).toEqual({ lower_bound: 0, upper_bound: 2, count: 2 })
  })

  it(
    "counts types, missing values and lengths per column, with null and missing apart",
    verifies("contents.profile.null-and-absent"),
    async () => {
      const { files, columns } = await profileOf([
        { id: 1, text: "ab", tags: ["x", "y"], note: null },
        { id: 2.5, text: "\u{1f600}", tags: [] },
        { id: -3, text: "ab" },
      ])
      expect(files).toEqual([{ path: "a.jsonl", rows: 3, unreadable: 0 }])
      const none = { estimated: false, min: null, max: null, lengths: null }
      expect(columns).toEqual([
        {
          ...none,
          pointer: "/id",
          types: { integer: 2, number: 1 },
          missing: 0,
          distinct: 3,
          top: [1, 2.5, -3].map((value) => ({ value, count: 1 })),
          min: -3,
          max: 2.5,
        },
        {
          ...none,
          pointer: "/text",
          types: { string: 3 },
          missing: 0,
          distinct: 2,
          top: [
            { value: "ab", count: 2 },
            { value: "\u{1f600}", count: 1 },
          ],
          lengths: { min: 1, max: 2, mean: 1.67 },
        },
        {
          ...none,
          pointer: "/tags",
          types: { array: 2 },
          missing: 1,
          distinct: 0,
          top: [],
          lengths: { min: 0, max: 2, mean: 1 },
        },
        {
          ...none,
          pointer: "/tags/*",
          types: { string: 2 },
          missing: 0,
          distinct: 2,
          top: [
            { value: "x", count: 1 },
            { value: "y", count: 1 },
          ],
          lengths: { min: 1, max: 1, mean: 1 },
        },
        { ...none, pointer: "/note", types: { null: 1 }, missing: 2, distinct: 1, top: [{ value: null, count: 1 }] },
      ])
    },
  )

  it("describes nested values by pointer", async () => {
    const { columns } = await profileOf([{ m: [{ "a/b": 1 }, {}] }, { m: [{ "a/b": 2 }] }, { m: null }])
    expect(columns.map(({ pointer, missing, types }) => [pointer, missing, types])).toEqual([
      ["/m", 0, { null: 1, array: 2 }],
      ["/m/*", 0, { object: 3 }],
      ["/m/*/a~1b", 1, { integer: 2 }],
    ])
  })

  it("distinguishes a value missing in an object from a missing object", async () => {
    const { columns } = await profileOf([{ a: { b: 1 } }, { a: null }, { a: {} }, {}])
    expect(columns.map(({ pointer, missing }) => [pointer, missing])).toEqual([
      ["/a", 1],
      ["/a/b", 1],
    ])
  })

  it("has a column for rows that are not objects", async () => {
    const { columns } = await profileOf([1, "x", { a: 1 }])
    expect(columns.map(({ pointer, types }) => [pointer, types])).toEqual([
      ["", { integer: 1, string: 1, object: 1 }],
      ["/a", { integer: 1 }],
    ])
  })

  it("covers all files, counts unreadable rows separately, and reads CSV by its schema", async () => {
    const { storage } = await makeRowFolder({ "a.csv": "n\n1\n2\n", "b.jsonl": '{"n":3}\n{', "c.txt": "" })
    const metadata = { schema: { properties: { n: { type: "integer" } } } }
    const { files, columns } = await profileRows({ storage, metadata })
    expect(files).toEqual([
      { path: "a.csv", rows: 2, unreadable: 0 },
      { path: "b.jsonl", rows: 2, unreadable: 1 },
    ])
    expect(columns).toMatchObject([{ pointer: "/n", types: { integer: 3 }, min: 1, max: 3 }])
    expect((await profileRows({ storage, path: "b.jsonl" })).files).toHaveLength(1)
  })

  it("reports its progress in bytes, up to the size of all files", async () => {
    const { storage } = await makeRowFolder({ "a.csv": "id\n1\n", "b.jsonl": '{"id":2}\n', "notes.txt": "no rows" })
    const seen: ProfileProgress[] = []
    await profileRows({ storage, onProgress: (progress) => seen.push(progress) })
    expect(new Set(seen.map(({ bytes }) => bytes))).toEqual(new Set([14]))
    expect(seen.at(-1)?.bytesDone).toBe(14)
  })

  it("pauses after some thousand values and some columns, also within a row", () => {
    const tree = createColumnTree()
    const numbers = Array.from({ length: 100_000 }, (_, index) => index / 7)
    expect([...tree.add({ numbers, nested: [numbers, numbers] })].length).toBeGreaterThan(50)
    let stops = 0
    for (const number of numbers) for (const _ of tree.add({ number })) stops += 1
    expect(stops).toBeGreaterThan(15)
    for (let column = 0; column < 500; column++) for (const _ of tree.add({ [`c${column}`]: column })) stops += 1
    expect([...tree.describe()].length).toBeGreaterThan(15)
  })

  it("leaves out columns after the first thousand and says so", async () => {
    const keys = Array.from({ length: 1200 }, (_, at) => [`key ${at}`, at] as const)
    const { columns, columns_truncated } = await profileOf([Object.fromEntries(keys)])
    expect([columns.length, columns_truncated]).toEqual([1000, true])
  })
})
