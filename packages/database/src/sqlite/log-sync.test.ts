import { describe, expect, it, vi } from "vitest"
import { createLogSync } from "./log-sync.ts"

function failing(times: number, what: string) {
  let calls = 0
  return {
    calls: () => calls,
    run() {
      calls += 1
      if (calls <= times) throw new Error(what)
    },
  }
}

describe("the sync of a database's log", () => {
  it("answers a commit only when a checkpoint has stored what an fsync could not", async () => {
    const [sync, copy] = [failing(1, "EIO"), failing(1, "disk I/O error")]
    const failures: unknown[] = []
    const log = createLogSync({
      log: { datasync: async () => sync.run() },
      checkpoint() {
        copy.run()
        return true
      },
      onFailure: ({ cause }) => failures.push(cause),
    })
    await log.sync()
    // The second fsync would succeed and prove nothing.
    expect([sync.calls(), copy.calls()]).toEqual([1, 2])
    expect(failures).toMatchObject([{ message: "EIO" }])
    await log.sync()
    expect([sync.calls(), copy.calls()]).toEqual([2, 2])
  })

  it("lets waiting commits fail when the database is closed", async () => {
    const log = createLogSync({
      log: { datasync: () => Promise.reject(new Error("EIO")) },
      checkpoint: () => false,
      onFailure: vi.fn(),
    })
    const waiting = log.sync()
    log.close()
    await expect(waiting).rejects.toThrow("aborted")
  })

  it("runs once more for all commits that come while it waits", async () => {
    let calls = 0
    const gate = Promise.withResolvers<void>()
    const datasync = async () => {
      calls += 1
      await gate.promise
    }
    const log = createLogSync({ log: { datasync }, checkpoint: () => true, onFailure: vi.fn() })
    const all = [log.sync(), log.sync(), log.sync()]
    gate.resolve()
    await Promise.all(all)
    expect(calls).toBe(2)
  })
})
