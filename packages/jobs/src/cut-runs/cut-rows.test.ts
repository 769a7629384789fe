import { describe, expect, it } from "vitest"
import { rangesOf } from "./cut-rows.ts"

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
