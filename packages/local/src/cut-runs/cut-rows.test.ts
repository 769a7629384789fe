import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lanesOf, rangesOf } from "./cut-rows.ts"
import { isLane, rowsOf } from "@assay/executors"

describe("the ranges of shards", () => {
  it("have every row once, in the order of tasks and rows, and sizes that differ by one row at most", () => {
    let looked = 0
    for (const counts of [[10], [1], [7, 0, 5], [3, 1, 1, 40], [1000, 999]]) {
      const tasks = counts.map((rows, at) => ({ task: `t${at}`, rows, repeats: 1 }))
      const total = counts.reduce((sum, rows) => sum + rows, 0)
      for (const shards of [1, 2, 3, 7, total].filter((one) => one <= total)) {
        const ranges = rangesOf(tasks, shards)
        const rows = ranges.flat().flatMap(({ task, firstRow, endRow }) => {
          return Array.from({ length: endRow - firstRow }, (_, at) => `${task} ${firstRow + at}`)
        })
        const every = tasks.flatMap(({ task, rows: count }) =>
          Array.from({ length: count }, (_, at) => `${task} ${at}`),
        )
        expect(rows).toEqual(every)
        const sizes = ranges.map((one) => one.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0))
        expect(sizes).toHaveLength(shards)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
        looked++
      }
    }
    expect(looked).toBeGreaterThan(20)
  })

  it("of one shard can be of several tasks, and a task without rows has none", () => {
    const tasks = [
      { task: "a", rows: 2, repeats: 3 },
      { task: "b", rows: 0, repeats: 1 },
      { task: "c", rows: 4, repeats: 1 },
    ]
    expect(rangesOf(tasks, 2)).toEqual([
      [
        { task: "a", firstRow: 0, endRow: 2, repeats: 3 },
        { task: "c", firstRow: 0, endRow: 1, repeats: 1 },
      ],
      [{ task: "c", firstRow: 1, endRow: 4, repeats: 1 }],
    ])
  })
})

/** Returns the positions of a task by shard. */
function positionsOf(shards: ReturnType<typeof lanesOf>, task: string): readonly (readonly number[])[] {
  return shards.map((ranges) =>
    ranges.flatMap((range) => {
      if (range.task !== task) return []
      if (!isLane(range)) return Array.from({ length: range.endRow - range.firstRow }, (_, at) => range.firstRow + at)
      return Array.from({ length: rowsOf(range) }, (_, turn) => range.firstPosition + turn * range.step)
    }),
  )
}

describe("the lanes of shards", () => {
  it("have every position once, in sizes that differ by one row at most, and those of a group before those of the next", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }).filter((counts) => counts.some((rows) => rows > 0)),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (counts, wanted, atOnce) => {
          const tasks = counts.map((rows, at) => ({ task: `t${at}`, rows, repeats: 1, isEarly: true }))
          const total = counts.reduce((sum, rows) => sum + rows, 0)
          const shards = Math.min(wanted, total)
          const lanes = lanesOf(tasks, shards, Math.min(atOnce, shards))
          const sizes = lanes.map((ranges) => ranges.reduce((sum, range) => sum + rowsOf(range), 0))
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
          for (const { task, rows } of tasks) {
            const positions = positionsOf(lanes, task)
            expect(positions.flat().toSorted((a, b) => a - b)).toEqual([...Array(rows).keys()])
            const groups = Map.groupBy(positions.entries(), ([shard]) => Math.floor(shard / Math.min(atOnce, shards)))
            const inGroups = [...groups.values()].map((own) => own.flatMap(([, found]) => found))
            expect(inGroups.flatMap((found) => found.toSorted((a, b) => a - b))).toEqual([...Array(rows).keys()])
          }
        },
      ),
    )
  })

  it("have the rows of a task without early gates in the order of its dataset", () => {
    const tasks = [
      { task: "early", rows: 10, repeats: 1, isEarly: true },
      { task: "other", rows: 8, repeats: 2, isEarly: false },
    ]
    const lanes = lanesOf(tasks, 3, 3)
    expect(positionsOf(lanes, "early")).toEqual([
      [0, 3, 6, 9],
      [1, 4, 7],
      [2, 5, 8],
    ])
    expect(positionsOf(lanes, "other")).toEqual([
      [0, 1],
      [2, 3, 4],
      [5, 6, 7],
    ])
    expect(
      lanes
        .flat()
        .filter((range) => isLane(range))
        .map(({ task }) => task),
    ).toEqual(["early", "early", "early"])
  })
})
