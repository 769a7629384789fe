import { AssayError } from "@assay/schemas"
import { createOutages } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { outlasting } from "./outlasting-rows.ts"
import type { RowSource } from "@assay/scoring"

const ROWS = 10
const BATCH = 3
const { signal } = new AbortController()

/** Returns rows whose storage does not respond at the given steps of reading. */
function unsteadyRows(badSteps: ReadonlySet<number>): RowSource {
  let step = 0
  const respond = () => {
    if (badSteps.has(step++)) throw new AssayError("upstream_failed", "The storage does not respond.")
  }
  async function* read({ start, end }: { readonly start: number; readonly end: number }) {
    respond()
    for (let first = start; first < end; first += BATCH) {
      const size = Math.min(BATCH, end - first)
      yield Array.from({ length: size }, (_, at) => ({ index: first + at, item: { row: first + at } }))
      respond()
    }
  }
  return {
    open: () => read({ start: 0, end: ROWS }),
    openRange: (range) => read(range),
    async count() {
      respond()
      return ROWS
    },
  }
}

const outages = createOutages({ now: () => 0, random: () => 0, sleep: async () => {} })

async function indexesOf(batches: AsyncIterable<readonly { readonly index: number }[]>): Promise<readonly number[]> {
  return (await Array.fromAsync(batches)).flat().map(({ index }) => index)
}

describe("rows of a storage with outages", () => {
  it.each([[[0]], [[2]], [[0, 1, 3, 5]], [[4, 5, 6]]])(
    "come once and in order (outages at steps %j)",
    async (steps) => {
      const source = outlasting(unsteadyRows(new Set(steps)), outages)
      expect(await indexesOf(source.open(signal))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    },
  )

  it("come once and in order from a range, and are counted", async () => {
    const source = outlasting(unsteadyRows(new Set([0, 1, 3, 6])), outages)
    expect(await source.count(signal)).toBe(ROWS)
    expect(await indexesOf(source.openRange?.({ start: 4, end: 9 }, signal) ?? source.open(signal))).toEqual([
      4, 5, 6, 7, 8,
    ])
  })

  it("end with any other error", async () => {
    const read = () => Promise.reject(new AssayError("rows_invalid", "Not JSON."))
    const source = outlasting(
      {
        open: async function* () {
          yield await read()
        },
        count: read,
      },
      outages,
    )
    await expect(indexesOf(source.open(signal))).rejects.toMatchObject({ code: "rows_invalid" })
  })
})
