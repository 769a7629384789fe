import { expect, it } from "vitest"
import { createHolders } from "./holders.ts"
import { createSessions } from "./sessions.ts"
import type { TokenStore } from "./token-store.ts"

const HOUR = 3_600_000
const caller = { id: "token-1", name: "t", grants: [] }
const unknown = { ...caller, id: "token-2" }
const tokens: TokenStore = {
  find: () => Promise.resolve(undefined),
  get: (id) => Promise.resolve(id === "token-1" ? { caller, digest: Buffer.from("hash of the token") } : undefined),
}
const isOver = new Set<string>()
const ended = {
  end: async (id: string) => void isOver.add(id),
  isEnded: async (id: string) => isOver.has(id),
}
let ids = 0
const newId = (prefix: string) => `${prefix}-${(ids += 1)}`
const sessionsOf = (key: number, now: () => number) =>
  createSessions({
    holders: createHolders(tokens, undefined),
    key: new Uint8Array(32).fill(key),
    now,
    newId,
    ended,
    lifetimeMs: HOUR,
  })

it("a session ends after its time, and is valid on every server with the same key alone", async () => {
  let now = 1_000_000
  const cookie = (await sessionsOf(1, () => now).create(caller))?.value ?? ""
  expect(await sessionsOf(1, () => now).find(cookie)).toEqual(caller)
  expect(await sessionsOf(2, () => now).find(cookie)).toBeUndefined()
  now += HOUR - 1
  const server = sessionsOf(1, () => now)
  expect(await server.find(cookie)).toEqual(caller)
  now += 1
  expect(await server.find(cookie)).toBeUndefined()
  // Whoever sets the clock back does not bring it back to life.
  now -= HOUR / 2
  expect(await server.find(cookie)).toBeUndefined()
  expect(await server.find((await server.create(caller, cookie))?.value ?? "")).toEqual(caller)
})

it("there is no session for a token that is not valid", async () => {
  expect(await sessionsOf(1, Date.now).create(unknown)).toBeUndefined()
})

it("a session that is ended is not valid on any server, with none of its cookies", async () => {
  let now = 1_000_000
  const [one, other] = [sessionsOf(1, () => now), sessionsOf(1, () => now)]
  const first = (await one.create(caller))?.value ?? ""
  const apart = (await one.create(caller))?.value ?? ""
  now += HOUR / 2
  const renewed = (await other.create(caller, first))?.value ?? ""
  await sessionsOf(2, () => now).end(renewed)
  expect(await one.find(renewed)).toEqual(caller)
  await one.end(first)
  for (const cookie of [first, renewed]) expect(await other.find(cookie)).toBeUndefined()
  expect(await other.find((await other.create(caller, renewed))?.value ?? "")).toBeUndefined()
  expect(await other.find(apart)).toEqual(caller)
})
