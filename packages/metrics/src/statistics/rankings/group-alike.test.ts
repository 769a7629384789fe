import { describe, expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { comparePaired } from "../significance/compare-paired.ts"
import { finishSteps } from "../steps.ts"
import { groupAlike, type GroupAlikeOptions, type ModelValues } from "./group-alike.ts"

const grouped = (models: readonly ModelValues[], options?: GroupAlikeOptions) =>
  finishSteps(groupAlike(models, options))
const groupsOf = (models: readonly ModelValues[], options?: GroupAlikeOptions) =>
  Object.fromEntries(grouped(models, options).models.map(({ name, group }) => [name, group]))
/** The first `right` of 100 rows are right. */
const rate = (name: string, right: number): ModelValues => ({
  name,
  values: Array.from({ length: 100 }, (_, row) => Number(row < right)),
})

describe("groups of models that do not differ", () => {
  it("share a letter unless a paired test with Holm's levels tells them apart", () => {
    expect(groupsOf([rate("weak", 40), rate("best", 80), rate("next", 78)])).toEqual({
      best: "a",
      next: "a",
      weak: "b",
    })
    // 6 rows that only one is right in are p = 0.031: enough for one test, but not for the first of three.
    expect(groupsOf([rate("best", 80), rate("next", 74)])).toEqual({ best: "a", next: "b" })
    expect(groupsOf([rate("best", 80), rate("next", 74), rate("last", 71)])).toEqual({
      best: "a",
      next: "ab",
      last: "b",
    })
    expect(groupsOf([rate("one", 3)])).toEqual({ one: "a" })
    expect(groupsOf([])).toEqual({})
  })

  it("are tested as two models are compared, over the rows that both have", () => {
    const random = createRandom(1)
    const values = (shift: number) =>
      Array.from({ length: 60 }, (_, row) => (row % 7 === 0 ? Number.NaN : random() + shift))
    const [one, other] = [values(0), values(0.2)]
    const { pairs } = grouped([
      { name: "one", values: one },
      { name: "other", values: other },
    ])
    expect(pairs).toMatchObject([{ a: "other", b: "one", p: comparePaired(one, other)?.p }])
    const none = grouped([
      { name: "one", values: [1, Number.NaN] },
      { name: "other", values: [Number.NaN, 0] },
      { name: "none", values: [Number.NaN, Number.NaN] },
    ])
    expect(none.models.map(({ name, group }) => [name, group])).toEqual([
      ["one", "a"],
      ["other", "a"],
      ["none", "a"],
    ])
    expect(none.pairs.every(({ p, isDifferent }) => p === null && !isDifferent)).toBe(true)
  })

  it("count the rows of a cluster once, and put the lowest first if lower is better", () => {
    const models = [rate("best", 80), rate("next", 74)]
    const clusters = Array.from({ length: 100 }, (_, row) => Math.floor(row / 2))
    expect(groupsOf(models, { clusters })).toEqual({ best: "a", next: "a" })
    expect(grouped(models, { higherIsBetter: false }).models.map(({ name }) => name)).toEqual(["next", "best"])
  })

  it("refuse more models than there are letters, and rows that do not match", () => {
    const many = Array.from({ length: 27 }, (_, at) => rate(`m${at}`, at))
    expect(() => grouped(many)).toThrow(/at most 26 models/)
    expect(() => grouped([rate("a", 3), { name: "b", values: [1] }])).toThrow(/valuesB/)
  })
})
