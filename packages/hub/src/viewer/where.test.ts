import { exactNumber } from "@assay/json"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createFirstOrdered, parseOrderBy } from "./order-by.ts"
import { parseSearch } from "./search-text.ts"
import { groupBySplit } from "./splits.ts"
import { parseWhere } from "./where.ts"

const ROW = { age: 30, name: "O'Hara", ok: false, none: null, "a b": "x", big: exactNumber("12345678901234567890") }

describe("the condition of a filter", () => {
  it.each([
    [`"age"=30`, true],
    [`"age" <> 30`, false],
    [`age>=29.5 and age<31`, true],
    [`"name"='O''Hara'`, true],
    [`"name"<>'x' AND NOT "ok"=true`, true],
    [`"ok"=FALSE`, true],
    [`"a b"='x'`, true],
    [`"big">12345678901234567889`, true],
    [`"big"=12345678901234567890`, true],
    [`"none" IS NULL AND "absent" IS NULL AND age IS NOT NULL`, true],
    [`"age"=1 OR "age"=2 AND "age"=30`, false],
    [`("age"=30 OR "age"=2) AND "age"=30`, true],
    // A missing value decides nothing, as in SQL.
    [`"none"=1`, null],
    [`NOT "none"=1`, null],
    [`"none"<>1`, null],
    [`"none"=1 OR "age"=30`, true],
    [`"none"=1 AND "age"=31`, false],
    [`"constructor"='x'`, null],
    [`"name"<5`, false],
  ])("%s is %s", verifies("hub.viewer-filter"), (text, expected) => {
    expect(parseWhere(text)(ROW)).toBe(expected)
    expect(parseWhere(`NOT (${text})`)(ROW)).toBe(expected === null ? null : !expected)
  })

  it.each([
    "",
    " ",
    `"age"`,
    `"age" =`,
    `"age" = "name"`,
    `"age" = 1 "b"`,
    `"age" = 1; DROP TABLE rows`,
    `"age" = (SELECT 1)`,
    `"age" = 1 --`,
    `"age`,
    `'age' = 1`,
    `1 = 1`,
    `"age" = 0x1`,
    `"age" = 1e9999`,
    `read_csv('/etc/passwd')`,
    `"age" IS 1`,
    `()`,
    "(".repeat(4000),
    `${"NOT ".repeat(900)}"age"=1`,
    Array.from({ length: 200 }, () => "a=1").join(" OR "),
    `"age"='${"x".repeat(4000)}'`,
    "\u0000",
  ])("%j is refused", verifies("hub.viewer-filter"), (text) => {
    expect(() => parseWhere(text)).toThrow(expect.objectContaining({ code: "bad_filter" }))
  })
})

describe("the order of a filter", () => {
  it("has numbers before texts, and rows without a value last", verifies("hub.viewer-filter"), () => {
    const rows = [{ a: 2 }, { a: null }, { a: "x" }, {}, { a: 1 }, { a: 2 }]
    const order = (text: string, limit: number) => {
      const first = createFirstOrdered(parseOrderBy(text), limit)
      for (const [index, row] of rows.entries()) first.add(row, index)
      return first.indexes()
    }
    expect(order(`"a"`, 9)).toEqual([4, 0, 5, 2, 1, 3])
    expect(order(`"a" desc`, 3)).toEqual([2, 0, 5])
    for (const text of ["", `"a" UP`, `"a", "b"`, `'a'`, `"a" DESC DESC`])
      expect(() => parseOrderBy(text)).toThrow(expect.objectContaining({ code: "bad_filter" }))
  })
})

it("A search finds all words in any case, also in nested texts", verifies("hub.viewer-search"), () => {
  const row = { a: "A big Dog", b: [{ c: "runs" }], n: exactNumber("1.50") }
  expect(["dog", "DOG runs", "big og"].map((query) => parseSearch(query)(row))).toEqual([true, true, true])
  expect(["dog cat", "1.50", "a.c"].map((query) => parseSearch(query)(row))).toEqual([false, false, false])
  for (const query of ["", "  ", "x".repeat(1001), "a b c d e f g h i j k l m n o p q r s t u"])
    expect(() => parseSearch(query)).toThrow(expect.objectContaining({ code: "bad_request" }))
})

it(
  "Files belong to the split that their names, or else their folders, have as a word",
  verifies("hub.viewer-splits"),
  () => {
    const split = (...paths: string[]) =>
      Object.fromEntries(
        [...groupBySplit(paths.map((path) => ({ path })))].map(([name, files]) => [
          name,
          files.map(({ path }) => path),
        ]),
      )
    expect(split("a.jsonl", "b/c.csv")).toEqual({ train: ["a.jsonl", "b/c.csv"] })
    expect(split("dev.jsonl", "Train/x.csv", "eval-1.json", "notes.csv")).toEqual({
      train: ["Train/x.csv"],
      validation: ["dev.jsonl"],
      test: ["eval-1.json"],
    })
    expect(split("data/hard-00000-of-00002.parquet", "data/test-00000-of-00001.parquet")).toEqual({
      test: ["data/test-00000-of-00001.parquet"],
      hard: ["data/hard-00000-of-00002.parquet"],
    })
    expect(split("test/training.csv")).toEqual({ train: ["test/training.csv"] })
    expect(split("contest.csv")).toEqual({ train: ["contest.csv"] })
    expect(split()).toEqual({})
  },
)
