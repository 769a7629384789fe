import { describe, expect, it } from "vitest"
import { createTurns } from "./turns.ts"

const never = new AbortController().signal

/** Returns work that runs until it is ended. */
function makeWork() {
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    log.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  return { log, work, end: (name: string) => ends.get(name)?.() }
}

describe("turns", () => {
  it("run at most the given number of pieces of work at a time, in the order in which they came", async () => {
    const turns = createTurns(2)
    const { log, work, end } = makeWork()
    const all = ["a", "b", "c", "d"].map((name) => turns.run(never, work(name)))
    await expect.poll(() => log).toEqual(["a", "b"])
    end("b")
    await expect.poll(() => log).toEqual(["a", "b", "c"])
    for (const name of ["a", "c"]) end(name)
    await expect.poll(() => log).toEqual(["a", "b", "c", "d"])
    end("d")
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"])
  })

  it("pass to the next piece of work after a failure", async () => {
    const turns = createTurns(1)
    const failing = turns.run(never, () => Promise.reject(new Error("no")))
    const next = turns.run(never, async () => "next")
    await expect(failing).rejects.toThrow("no")
    expect(await next).toBe("next")
  })

  it("reject waiting work as soon as its signal aborts, and skip it later", async () => {
    const turns = createTurns(1)
    const { log, work, end } = makeWork()
    const leaving = new AbortController()
    const first = turns.run(never, work("first"))
    const second = turns.run(leaving.signal, work("second"))
    const third = turns.run(never, work("third"))
    leaving.abort(new Error("gone"))
    await expect(second).rejects.toThrow("gone")
    await expect(turns.run(leaving.signal, work("late"))).rejects.toThrow("gone")
    end("first")
    await first
    await expect.poll(() => log).toEqual(["first", "third"])
    end("third")
    expect(await third).toBe("third")
  })
})
