import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import type { Spent } from "./month-budgets.ts"

const ONE: Spent = {
  requests: 1,
  prompt_tokens: 10,
  completion_tokens: 5,
  unpriced_tokens: 0,
  cost: 0.25,
  currency: "EUR",
}

describe.each(DATABASE_KINDS)("budgets of workspaces on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    await registry.workspaces.create({ name: "team" })
  })
  afterAll(() => test.remove())

  it("are absent at first, replaced as a whole, and removed", async () => {
    const { budgets } = registry
    expect(await budgets.get("team")).toEqual({
      workspace: "team",
      month: "2026-11",
      resets_at: "2026-12-01T00:00:00.000Z",
      limits: {},
      usage: { requests: 0, prompt_tokens: 0, completion_tokens: 0, unpriced_tokens: 0, cost: null },
      exhausted: null,
    })
    await budgets.set("team", { max_requests: 2 ** 40, max_cost: 0.5 })
    const { limits } = await budgets.set("team", { max_tokens: 30, max_cost: 0.5 })
    expect(limits).toEqual({ max_tokens: 30, max_cost: 0.5 })
    expect((await budgets.get("team")).limits).toEqual(limits)
    expect((await budgets.remove("team")).limits).toEqual({})
    const missing = { code: "not_found" }
    await expect(budgets.get("none")).rejects.toMatchObject(missing)
    await expect(budgets.set("none", { max_cost: 1 })).rejects.toMatchObject(missing)
    await expect(budgets.remove("none")).rejects.toMatchObject(missing)
  })

  it(
    "keep what was used in the month if the workspace is removed and created again",
    verifies("budgets.month"),
    async () => {
      const { budgets, workspaces } = registry
      await workspaces.create({ name: "again" })
      await budgets.spend("again", ONE)
      for (let time = 0; time < 2; time++) {
        await workspaces.remove("again", { cascade: true })
        await workspaces.create({ name: "again" })
        expect((await budgets.get("again")).usage).toMatchObject({ requests: 1 + time, prompt_tokens: 10 * (1 + time) })
        await budgets.spend("again", ONE)
      }
      await workspaces.create({ name: "other" })
      expect((await budgets.get("other")).usage.requests).toBe(0)
    },
  )

  it(
    "sum up what all workers have used in a month, and begin again in the next one",
    verifies("budgets.month"),
    async () => {
      const { budgets } = registry
      await budgets.set("team", { max_tokens: 450 })
      const other = await test.openAnother()
      const workers = Array.from({ length: 29 }, (_, at) => (at % 2 === 0 ? registry : other))
      await Promise.all(workers.map((worker) => worker.budgets.spend("team", ONE)))
      const { limits, spent } = await other.budgets.spend("team", {
        ...ONE,
        unpriced_tokens: 15,
        cost: 0,
        currency: "",
      })
      const sums = { requests: 30, prompt_tokens: 300, completion_tokens: 150, unpriced_tokens: 15 }
      expect([limits, spent]).toEqual([{ max_tokens: 450 }, { ...sums, cost: 7.25, currency: "EUR" }])
      expect(await budgets.get("team")).toMatchObject({
        usage: { ...sums, cost: { amount: 7.25, currency: "EUR" } },
        exhausted: "max_tokens",
      })
      test.clock.time = Date.UTC(2026, 11, 31, 23, 59)
      expect(await budgets.get("team")).toMatchObject({
        month: "2026-12",
        resets_at: "2027-01-01T00:00:00.000Z",
        usage: { requests: 0, cost: null },
        exhausted: null,
      })
      await budgets.spend("team", ONE)
      const all = await budgets.list(12, "all")
      expect([all.month, all.started_at, all.resets_at]).toEqual([
        "2026-12",
        "2026-12-01T00:00:00.000Z",
        "2027-01-01T00:00:00.000Z",
      ])
      expect(all.data.filter(({ workspace }) => workspace === "team")).toMatchObject([
        { month: "2026-12", requests: 1, cost: { amount: 0.25, currency: "EUR" } },
        { month: "2026-11", ...sums, cost: { amount: 7.25, currency: "EUR" } },
      ])
      expect((await budgets.list(1, ["team"])).data).toMatchObject([{ workspace: "team", month: "2026-12" }])
      expect((await budgets.list(12, [])).data).toEqual([])
    },
  )

  it("are removed with their workspace, whose jobs no longer record anything", async () => {
    const { budgets, workspaces } = registry
    await workspaces.create({ name: "short" })
    await budgets.set("short", { max_requests: 1 })
    await budgets.spend("short", ONE)
    await workspaces.remove("short", { cascade: false })
    expect(await budgets.spend("short", ONE)).toMatchObject({ limits: {}, spent: { requests: 0 } })
    await workspaces.create({ name: "short" })
    // Use before the removal counts, and later use does not.
    expect(await budgets.get("short")).toMatchObject({ limits: {}, usage: { requests: 1 } })
  })
})
