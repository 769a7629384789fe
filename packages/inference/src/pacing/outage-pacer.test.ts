import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createVirtualClock, type VirtualClock } from "../testing/virtual-clock.ts"
import { paceAlone } from "./allowed-rate.ts"
import { createOutagePacer } from "./outage-pacer.ts"
import { formatPace } from "./pace-exchange.ts"
import { createRequestPacer } from "./request-pacer.ts"
import { createMemoryPace } from "./shared-paces.ts"

interface Alone {
  /** Since when requests are answered, in seconds. */
  readonly answersFrom: number
  /** Of all processes. */
  readonly rate: number | undefined
}

/** Creates the pacer of a process that had some answers per second of a rate. */
function createAlone(clock: VirtualClock, seen: number, rate: number | undefined) {
  const paces = createMemoryPace(clock.now, formatPace(paceAlone(clock.now(), () => seen, rate)))
  return createOutagePacer({ ...clock, pacer: createRequestPacer({ ...clock, paces, key: "endpoint" }) })
}

/** Returns how many requests leave in each second of a process that had 40 answers per second, and asks without a pause. */
async function sentIn(seconds: number, { answersFrom, rate }: Alone): Promise<readonly number[]> {
  const clock = createVirtualClock()
  const pacer = createAlone(clock, 40, rate)
  const sent = Array<number>(seconds).fill(0)
  const run = async (): Promise<never> => {
    for (;;) {
      if (!(await pacer.turn())) continue
      const second = Math.floor(clock.now() / 1000)
      sent[second] = (sent[second] ?? 0) + 1
      if (clock.now() >= answersFrom * 1000) void clock.sleep(100).then(() => pacer.succeeded())
    }
  }
  void run()
  await clock.run(seconds * 1000)
  return sent
}

describe("the pacer of a process that is alone", () => {
  it("keeps to the part of the shared rate that the process had", verifies("paces.alone"), async () => {
    const sent = await sentIn(20, { answersFrom: 0, rate: 150 })
    expect(sent[0]).toBe(0)
    expect(Math.min(...sent.slice(2))).toBeGreaterThanOrEqual(35)
    expect(Math.max(...sent)).toBeLessThanOrEqual(41)
  })

  it("looks for a limit if none was known", async () => {
    const sent = await sentIn(10, { answersFrom: 0, rate: undefined })
    expect(sent.at(-1)).toBeGreaterThan(150)
  })

  it.each([150, undefined])(
    "sends little while nothing is answered (a shared rate of %s)",
    verifies("paces.cut-off"),
    async (rate) => {
      const sent = await sentIn(20, { answersFrom: Infinity, rate })
      const all = sent.reduce((sum, one) => sum + one, 0)
      expect(all).toBeGreaterThanOrEqual(7)
      expect(all).toBeLessThanOrEqual(10)
    },
  )

  it("waits for the shared store when answers return after a silence", verifies("paces.cut-off"), async () => {
    // The first answer comes between 21 and 22 seconds.
    const sent = await sentIn(26, { answersFrom: 20, rate: 150 })
    expect(sent[21]).toBe(1)
    expect(sent[22]).toBeLessThan(15)
    expect(sent[24]).toBeGreaterThanOrEqual(35)
  })

  it("ends turns that wait when it is closed", async () => {
    const clock = createVirtualClock()
    const pacer = createAlone(clock, 1, 1)
    const turns = [pacer.turn(), pacer.turn()]
    pacer.close()
    await clock.run(1000)
    expect(await Promise.all(turns)).toEqual([false, false])
  })
})
