import { expect, it } from "vitest"
import { createShardLead } from "./shard-lead.ts"

const [ROWS, SLOTS] = [1000, 32]

/** Returns when the next shard is due, in milliseconds, if `perSecond` rows are done in a second. */
function dueAt(perSecond: number, known = 0): number {
  let time = 0
  const lead = createShardLead(() => time)
  lead.began(1)
  for (let processed = known; processed <= ROWS; processed = known + Math.floor((time * perSecond) / 1000)) {
    lead.progressed(1, { processed, total: ROWS })
    if (lead.isDue(SLOTS)) return time
    time += 10
  }
  return Infinity
}

it("The next shard is taken two seconds before the present one is done, and at once if that takes less", () => {
  expect(dueAt(40)).toBeGreaterThan(22_900)
  expect(dueAt(40)).toBeLessThan(23_100)
  expect(dueAt(1000)).toBeLessThan(100)
  // Before that, if all rows that are left are in flight.
  expect(dueAt(2)).toBeLessThan(485_000)
})

it("The next shard is not taken earlier because earlier workers have answered rows of the present one", () => {
  expect(dueAt(40, 500)).toBeGreaterThan(10_400)
})

it("A shard that is new to a fast worker does not delay the next one, but one without any report does", () => {
  let time = 0
  const lead = createShardLead(() => time)
  lead.began(1)
  lead.progressed(1, { processed: 1, total: ROWS })
  time = 250
  lead.progressed(1, { processed: 900, total: ROWS })
  expect(lead.isDue(SLOTS)).toBe(true)
  lead.began(2)
  expect(lead.isDue(SLOTS)).toBe(false)
  lead.asked(1)
  lead.progressed(2, { processed: 1, total: ROWS })
  expect(lead.isDue(SLOTS)).toBe(true)
  lead.progressed(2, { processed: 2, total: null })
  expect(lead.isDue(SLOTS)).toBe(false)
})
