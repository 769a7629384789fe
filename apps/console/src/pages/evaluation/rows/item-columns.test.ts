import { expect, it } from "vitest"
import { itemFields } from "./item-columns.ts"

const shown = (items: readonly Record<string, unknown>[], asked: readonly string[] = []) =>
  itemFields(items, new Set(asked)).flatMap(({ name, isShown }) => (isShown ? [name] : []))

it("fields of items that differ become columns, those that prompts use first, at most four, and no objects", () => {
  const items = [1, 2, 3].map((n) => ({
    source: "one set",
    a: `a${n}`,
    b: n,
    meta: { n },
    c: n > 1,
    d: `d${n}`,
    question: `q${n}`,
  }))
  expect(shown(items)).toEqual(["a", "b", "c", "d"])
  expect(shown(items, ["question", "source", "meta"])).toEqual(["a", "b", "c", "question"])
  expect(itemFields(items, new Set()).find(({ name }) => name === "b")).toMatchObject({ isNumber: true })
})

it("a field that some rows lack differs, and of rows that are all equal the plain fields are columns", () => {
  expect(shown([{ a: 1, b: 2 }, { a: 1 }])).toEqual(["b"])
  expect(shown([{ a: "x", b: null, c: [1] }])).toEqual(["a"])
  expect(shown([])).toEqual([])
})

it("texts of a mebibyte are compared by their length and their first characters", () => {
  const long = "x".repeat(1 << 20)
  expect(
    shown([
      { a: long, b: 1 },
      { a: `${long}y`, b: 1 },
    ]),
  ).toEqual(["a"])
})
