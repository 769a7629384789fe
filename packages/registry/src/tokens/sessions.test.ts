import { expect, it } from "vitest"
import { createSessions } from "./sessions.ts"
import type { TokenStore } from "./token-store.ts"

const HOUR = 3_600_000
const caller = { tokenId: "token-1", name: "t", grants: [] }
const tokens: TokenStore = {
  find: () => Promise.resolve(undefined),
  get: (id) => Promise.resolve(id === "token-1" ? { caller, digest: Buffer.from("hash of the token") } : undefined),
}
const sessionsOf = (key: number, now: () => number) =>
  createSessions({ tokens, key: new Uint8Array(32).fill(key), now, lifetimeMs: HOUR })

it("a session ends after its time, and is valid on every server with the same key alone", async () => {
  let now = 1_000_000
  const cookie = (await sessionsOf(1, () => now).create("token-1")) ?? ""
  expect(await sessionsOf(1, () => now).find(cookie)).toEqual(caller)
  expect(await sessionsOf(2, () => now).find(cookie)).toBeUndefined()
  now += HOUR - 1
  expect(await sessionsOf(1, () => now).find(cookie)).toEqual(caller)
  now += 1
  expect(await sessionsOf(1, () => now).find(cookie)).toBeUndefined()
})

it("there is no session for a token that is not valid", async () => {
  expect(await sessionsOf(1, Date.now).create("token-2")).toBeUndefined()
})
