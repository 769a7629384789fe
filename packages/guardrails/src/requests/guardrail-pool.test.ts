import type { Guardrail } from "../guardrail.ts"
import { beforeEach, expect, it } from "vitest"
import { createGuardrailPool, type GuardrailPool } from "./guardrail-pool.ts"

let events: string[]
let opened: GuardrailPool
beforeEach(() => {
  events = []
  opened = createGuardrailPool({ max: 2, onError: (error) => events.push(String(error)) })
})

/** A guardrail that records only that it was opened and closed. */
const opening = (name: string) => async () => {
  events.push(`open ${name}`)
  return { close: async () => void events.push(`close ${name}`) } as Guardrail
}
const use = async (name: string) => {
  using lease = await opened.acquire(name, opening(name))
  return lease.guardrail
}

it("Requests for the same guardrail share one open guardrail", async () => {
  const [first, second] = await Promise.all([use("a"), use("a")])
  expect(second).toBe(first)
  expect(await use("a")).toBe(first)
  expect(events).toEqual(["open a"])
})

it("The most recently used guardrails stay open, and the others are closed", async () => {
  for (const name of ["a", "b", "a", "c"]) await use(name)
  await expect.poll(() => events).toEqual(["open a", "open b", "open c", "close b"])
})

it("A guardrail in use is not closed", async () => {
  const lease = await opened.acquire("a", opening("a"))
  for (const name of ["b", "c"]) await use(name)
  expect(events).not.toContain("close a")
  lease[Symbol.dispose]()
  lease[Symbol.dispose]()
  await opened.close()
  expect(events.toSorted()).toEqual(["close a", "close b", "close c", "open a", "open b", "open c"])
})

it("A guardrail that could not be opened is tried again by the next request", async () => {
  const failing = opened.acquire("a", async () => Promise.reject(new Error("no")))
  await expect(failing).rejects.toThrow("no")
  await use("a")
  await opened.close()
  expect(events).toEqual(["open a", "close a"])
})

it("A guardrail that can't be closed is reported", async () => {
  const stuck = { close: async () => Promise.reject(new Error("stuck")) } as unknown as Guardrail
  const lease = await opened.acquire("a", async () => stuck)
  lease[Symbol.dispose]()
  await opened.close()
  expect(events).toEqual(["Error: stuck"])
})
