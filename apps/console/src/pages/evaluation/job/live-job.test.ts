import type { JobEvent } from "@assay/schemas"
import { expect, it } from "vitest"
import { nextLive, NOTHING_YET, rateOf } from "./live-job.ts"

const progress = (id: number, done: number): JobEvent => ({
  id,
  event: "progress",
  data: { samples_processed: done, samples_total: 1000, samples_failed: 2, means: { "t.m.s": 0.5 } },
})
const line = (id: number): JobEvent => ({ id, event: "log", data: { level: "info", message: `line ${id}` } })

it("the state kept of 10,000 events stays small, and the last of them count", () => {
  let live = NOTHING_YET
  for (let id = 0; id < 10_000; id += 2) live = nextLive(live, [line(id), progress(id + 1, id / 10)], id * 10)
  expect(live.marks).toHaveLength(60)
  expect([live.processed, live.total, live.failed, live.means]).toEqual([999.8, 1000, 2, { "t.m.s": 0.5 }])
})

it("the rate is rows a second, and unknown within the first second", () => {
  const first = nextLive(NOTHING_YET, [progress(1, 10)], 0)
  expect(rateOf(first)).toBeUndefined()
  expect(rateOf(nextLive(first, [progress(2, 110)], 2000))).toBe(50)
})
