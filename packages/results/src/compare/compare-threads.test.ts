import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { compareJobs } from "./compare-jobs.ts"
import { createCompareThreads, type StoredSide } from "./compare-threads.ts"
import { readRows } from "../rows/read-rows.ts"

/** Returns a job with these scores, whose rows are read in pieces of a kilobyte. */
function sideOf(id: string, values: readonly number[]): StoredSide {
  const lines = values.map((value, row) => `${JSON.stringify(rowOf(row, { f1: { value } }))}\n`)
  const bytes = Buffer.from(lines.join(""))
  return {
    id,
    name: `job ${id}`,
    result: resultOf({ task: "qa", metrics: { f1: { value: summaryOf(values) } } }),
    async *bytes() {
      for (let at = 0; at < bytes.length; at += 1024) yield Buffer.from(bytes.subarray(at, at + 1024))
    },
  }
}
const someValues = (count: number, shift: number) =>
  Array.from({ length: count }, (_, row) => (((row + shift) * 7919) % 101) / 100)

describe("threads that compare jobs", () => {
  it("find what compareJobs finds", verifies("eval.compare"), async () => {
    const sides = [sideOf("a", someValues(50, 0)), sideOf("b", someValues(50, 3))]
    const jobs = sides.map(({ bytes, ...side }) => ({ ...side, rows: () => readRows(bytes()) }))
    const compare = createCompareThreads()
    expect(await compare(sides, { margin: 0.1 })).toEqual(await compareJobs(jobs, { margin: 0.1 }))
    await expect(compare(sides.slice(0, 1), {})).rejects.toMatchObject({ code: "invalid_request" })
  })

  it("end when the client leaves, and read no more rows", async () => {
    const leaving = new AbortController()
    let read = 0
    const endless: StoredSide = {
      ...sideOf("a", [1, 0]),
      async *bytes() {
        for (let row = 0; ; row++) {
          read++
          yield Buffer.from(`${JSON.stringify(rowOf(row, { f1: { value: 1 } }))}\n`)
        }
      },
    }
    const running = createCompareThreads()([endless, sideOf("b", [1, 0])], { signal: leaving.signal })
    const ended = expect(running).rejects.toThrow("left")
    await expect.poll(() => read).toBeGreaterThan(2)
    leaving.abort(new Error("left"))
    await ended
    const atEnd = read
    await new Promise((resolve) => setImmediate(resolve))
    expect(read).toBe(atEnd)
  })

  it("fail as the storage of the rows does", async () => {
    const broken: StoredSide = {
      ...sideOf("b", [1, 0]),
      async *bytes() {
        yield Buffer.from("{}\n")
        throw new Error("The storage is gone.")
      },
    }
    await expect(createCompareThreads()([sideOf("a", [1, 0]), broken], {})).rejects.toThrow("The storage is gone.")
  })
})
