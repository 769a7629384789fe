import { describe, expect, it } from "vitest"
import { createPathLocks } from "./path-locks.ts"

interface Recorder {
  readonly events: string[]
  /** Work that continues until it is finished by name. */
  readonly work: (name: string) => () => Promise<void>
  readonly finish: (name: string) => void
}

function recorder(): Recorder {
  const events: string[] = []
  const endings = new Map<string, () => void>()
  return {
    events,
    work: (name) => () => {
      events.push(`${name} begins`)
      return new Promise<void>((resolve) => {
        endings.set(name, () => {
          events.push(`${name} ends`)
          resolve()
        })
      })
    },
    finish: (name) => endings.get(name)?.(),
  }
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe("exclusive", () => {
  it("runs work on one path in order, and work on other paths meanwhile", async () => {
    const locks = createPathLocks()
    const { events, work, finish } = recorder()
    const all = [
      locks.exclusive("a", work("first")),
      locks.exclusive("a", work("second")),
      locks.exclusive("b", work("other")),
    ]
    await settle()
    finish("other")
    await settle()
    finish("first")
    await settle()
    finish("second")
    await Promise.all(all)
    expect(events).toEqual(["first begins", "other begins", "other ends", "first ends", "second begins", "second ends"])
  })

  it("continues after failed work, and gives each caller its own result", async () => {
    const locks = createPathLocks()
    const failing = locks.exclusive("a", () => Promise.reject(new Error("broken")))
    const working = locks.exclusive("a", () => Promise.resolve(7))
    await expect(failing).rejects.toThrow("broken")
    expect(await working).toBe(7)
  })
})

describe("coalesce", () => {
  it("runs once for all callers during a run, after that run", async () => {
    const locks = createPathLocks()
    const { events, work, finish } = recorder()
    const first = locks.coalesce("a", work("first"))
    const waiting = ["second", "third", "fourth"].map((name) => locks.coalesce("a", work(name)))
    await settle()
    expect(events).toEqual(["first begins"])
    finish("first")
    await first
    await settle()
    finish("second")
    await Promise.all(waiting)
    expect(events).toEqual(["first begins", "first ends", "second begins", "second ends"])
  })

  it("gives waiting callers the failure of their run, and starts again afterwards", async () => {
    const locks = createPathLocks()
    const first = locks.coalesce("a", () => Promise.resolve())
    const failing = ["second", "third"].map((name) => locks.coalesce("a", () => Promise.reject(new Error(name))))
    await first
    for (const one of failing) await expect(one).rejects.toThrow("second")
    const { events, work, finish } = recorder()
    const anew = locks.coalesce("a", work("anew"))
    finish("anew")
    await anew
    expect(events).toEqual(["anew begins", "anew ends"])
  })
})
