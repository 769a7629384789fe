import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"

describe.each(DATABASE_KINDS)("the paces of endpoints on %s", (kind) => {
  let test: TestRegistry
  let registries: readonly Registry[]
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registries = [test.registry, await test.openAnother()]
  })
  afterAll(() => test.remove())

  it("are changed by one server at a time, with the time of the database", async () => {
    const add = (stored: string | undefined, now: number) => {
      const value = [Number(stored ?? 0) + 1, now] as const
      return { stored: String(value[0]), value }
    }
    const changes = Array.from({ length: 20 }, () =>
      registries.map(({ endpointPaces }) => endpointPaces.change("busy", add)),
    )
    const seen = (await Promise.all(changes.flat())).map(([count]) => count)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
    const [, now] = await test.registry.endpointPaces.change("busy", add)
    expect(Math.abs(now - test.clock.time)).toBeLessThan(60_000)
  })

  it("are not stored while there is nothing to store, and are forgotten after a day", async () => {
    const { endpointPaces } = test.registry
    const tables = await test.openTables()
    const rows = async () =>
      (await tables.read((queries) => queries.selectFrom("endpoint_paces").select(["digest", "pace"]).execute())).map(
        ({ digest, pace }) => `${digest}:${pace}`,
      )
    const look = (stored: string | undefined) => ({ stored, value: stored })
    expect(await endpointPaces.change("free", look)).toBeUndefined()
    expect(await rows()).toEqual(["busy:41"])
    await endpointPaces.change("old", () => ({ stored: "1", value: 1 }))
    expect(await registries[1]?.endpointPaces.change("old", look)).toBe("1")
    await test.pass(90_000_000)
    await endpointPaces.change("new", () => ({ stored: "2", value: 2 }))
    expect(await rows()).toEqual(["new:2"])
    expect(await endpointPaces.change("old", look)).toBeUndefined()
  })
})
