import { describe, expect, it } from "vitest"
import { createRateCeiling } from "./rate-ceiling.ts"

const ENDPOINT = { base: "http://127.0.0.1/v1", apiKey: undefined }

/** Returns a ceiling with a clock that sleepers move on, and when each turn came. */
function createTurns(perSecond: () => number, options: { readonly firstMs?: () => number } = {}) {
  let time = 0
  const ceiling = createRateCeiling({ now: () => time, sleep: (ms) => due(time + ms) }, { perSecond, ...options })
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []
  const due = (at: number) => new Promise<void>((wake) => void sleepers.push({ at, wake }))
  return {
    ceiling,
    async pass(until: number) {
      for (;;) {
        await new Promise((later) => setImmediate(later))
        const next = sleepers.toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > until) break
        sleepers.splice(sleepers.indexOf(next), 1)
        time = next.at
        next.wake()
      }
      time = until
    },
    now: () => time,
  }
}

describe("a ceiling of a rate", () => {
  it("lets requests leave evenly, those of each endpoint and key apart", async () => {
    const turns = createTurns(() => 4)
    const left: string[] = []
    const ask = async (name: string, apiKey?: string) => {
      await turns.ceiling.turn({ ...ENDPOINT, apiKey })
      left.push(`${name} ${turns.now()}`)
    }
    for (const name of ["a", "b", "c"]) void ask(name)
    void ask("other", "key")
    await turns.pass(1000)
    expect(left).toEqual(["a 0", "other 0", "b 250", "c 500"])
  })

  it("saves no turns while nothing is asked, and follows a changed rate", async () => {
    let rate = 1
    const turns = createTurns(() => rate)
    const left: number[] = []
    const ask = async () => {
      await turns.ceiling.turn(ENDPOINT)
      left.push(turns.now())
    }
    await ask()
    await turns.pass(10_000)
    void ask()
    void ask()
    await turns.pass(12_000)
    rate = 10
    void ask()
    void ask()
    await turns.pass(13_000)
    expect(left).toEqual([0, 10_000, 11_000, 12_000, 12_100])
  })

  it("lowers the rate of requests that wait already", async () => {
    let rate = 10
    const turns = createTurns(() => rate)
    const left: number[] = []
    const ask = async () => {
      await turns.ceiling.turn(ENDPOINT)
      left.push(turns.now())
    }
    for (let request = 0; request < 4; request++) void ask()
    await turns.pass(50)
    rate = 1
    await turns.pass(5000)
    expect(left).toEqual([0, 100, 1100, 2100])
  })

  it("lets the first request wait, and waits longer than a timer can", async () => {
    const turns = createTurns(() => 1e-7, { firstMs: () => 500 })
    const left: number[] = []
    const ask = async () => {
      await turns.ceiling.turn(ENDPOINT)
      left.push(turns.now())
    }
    void ask()
    void ask()
    await turns.pass(2e10)
    expect(left).toEqual([500, 500 + 1e10])
  })
})
