import { describe, expect, it } from "vitest"
import { createTurns } from "./create-turns.ts"

const never = new AbortController().signal

/** Work that lasts until it is ended. */
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
  it("let so much work go on at a time, and the rest in the order in which it came", async () => {
    const turns = createTurns(2)
    const { log, work, end } = makeWork()
    const all = ["a", "b", "c", "d"].map((name) => turns.run(never, work(name)))
    await Promise.resolve()
    expect(log).toEqual(["a", "b"])
    end("b")
    await expect.poll(() => log).toEqual(["a", "b", "c"])
    for (const name of ["a", "c"]) end(name)
    await expect.poll(() => log).toEqual(["a", "b", "c", "d"])
    end("d")
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"])
  })

  it("are handed on by work that fails", async () => {
    const turns = createTurns(1)
    const failing = turns.run(never, () => Promise.reject(new Error("no")))
    const next = turns.run(never, async () => "next")
    await expect(failing).rejects.toThrow("no")
    expect(await next).toBe("next")
  })

  it("are given up by those who no longer wait", async () => {
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
