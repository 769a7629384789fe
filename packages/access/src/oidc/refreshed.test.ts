import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { createRefreshed } from "./refreshed.ts"

it(
  "A value that can't be loaded is kept for its time, and asked for at most once in each pause",
  verifies("oidc.keys", "oidc.away"),
  async () => {
    let time = 0
    let loads = 0
    let isAway = false
    const load = async () => {
      loads += 1
      if (isAway) throw new Error("away")
      return loads
    }
    const value = createRefreshed({ load, elapsed: () => time, freshMs: 100, keepMs: 1000, pauseMs: 10 })
    expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1])
    expect(await Promise.all([value.renew(), value.renew(), value.renew()])).toEqual([2, 2, 2])
    isAway = true
    time = 150
    // Old: it is loaded again beside the request.
    expect([await value.get(), await value.get(), loads]).toEqual([2, 2, 3])
    await expect(value.renew()).rejects.toThrow("away")
    for (let count = 0; count < 20; count += 1) await expect(value.renew()).rejects.toThrow("away")
    expect([await value.get(), loads]).toEqual([2, 4])
    time = 1000
    await expect(value.get()).rejects.toThrow("away")
    await expect(value.get()).rejects.toThrow("away")
    expect(loads).toBe(5)
    isAway = false
    time = 1010
    expect([await value.get(), await value.renew()]).toEqual([6, 7])
  },
)
