import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createVirtualClock } from "../testing/virtual-clock.ts"
import { createLonePacer } from "./lone-pacer.ts"

interface Alone {
  readonly answers: boolean
  /** Of all processes. */
  readonly rate: number | undefined
}

/** Returns how many requests leave in each second of a process that had 40 answers per second, and asks without a pause. */
async function sentIn(seconds: number, { answers, rate }: Alone): Promise<readonly number[]> {
  const clock = createVirtualClock()
  const pacer = createLonePacer({ ...clock, seen: () => 40, rate })
  const sent = Array<number>(seconds).fill(0)
  const run = async (): Promise<never> => {
    for (;;) {
      await pacer.turn()
      const second = Math.floor(clock.now() / 1000)
      sent[second] = (sent[second] ?? 0) + 1
      if (answers) void clock.sleep(100).then(() => pacer.succeeded())
    }
  }
  void run()
  await clock.run(seconds * 1000)
  return sent
}

describe("the pacer of a process that is alone", () => {
  it("keeps to the part of the shared rate that the process had", verifies("paces.alone"), async () => {
    const sent = await sentIn(20, { answers: true, rate: 150 })
    expect(sent[0]).toBe(0)
    expect(Math.min(...sent.slice(2))).toBeGreaterThanOrEqual(35)
    expect(Math.max(...sent)).toBeLessThanOrEqual(41)
  })

  it("looks for a limit if none was known", async () => {
    const sent = await sentIn(10, { answers: true, rate: undefined })
    expect(sent.at(-1)).toBeGreaterThan(150)
  })

  it.each([150, undefined])(
    "sends little while nothing is answered (a shared rate of %s)",
    verifies("paces.cut-off"),
    async (rate) => {
      const sent = await sentIn(20, { answers: false, rate })
      const all = sent.reduce((sum, one) => sum + one, 0)
      expect(all).toBeGreaterThanOrEqual(7)
      expect(all).toBeLessThanOrEqual(10)
    },
  )

  it("ends turns that wait when it is closed", async () => {
    const clock = createVirtualClock()
    const pacer = createLonePacer({ ...clock, seen: () => 1, rate: 1 })
    const turns = [pacer.turn(), pacer.turn()]
    pacer.close()
    await clock.run(1000)
    expect(await Promise.all(turns)).toEqual([false, false])
  })
})
