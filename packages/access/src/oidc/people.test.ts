import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { createHolders } from "../holders.ts"
import { createSessions } from "../sessions.ts"
import { createXetTokens } from "../xet-tokens.ts"
import { createGrantRules, type GrantRule } from "./grant-rules.ts"
import { createPeople } from "./people.ts"
import { callerOfPerson, personOf } from "./person.ts"

const HOUR = 3_600_000
const START = 1_700_000_000_000
const RULE = { claim: "groups", value: "ml", workspace: "default", role: "editor" } as const
const tokens = { find: async () => undefined, get: async () => undefined }
const ended = { end: async () => {}, isEnded: async () => false }

/** Returns the sessions of a server with these rules, as every restart and every server with the same key has them. */
function serverWith(given: readonly GrantRule[], clock: { readonly time: number }) {
  const rules = createGrantRules(given)
  const now = () => clock.time
  const holders = createHolders(tokens, createPeople({ issuer: "https://login.example", rules, given, now }))
  const common = { holders, key: new Uint8Array(32).fill(7), now, lifetimeMs: HOUR }
  const claims = { sub: "ann", exp: (START + HOUR / 2) / 1000, groups: ["ml"], name: "A".repeat(500) }
  const caller = callerOfPerson("https://login.example", personOf(claims, rules), rules)
  const sessions = createSessions({ ...common, newId: (prefix) => `${prefix}-1`, ended })
  return { caller, sessions, xet: createXetTokens({ ...common, takesTokens: true }) }
}

it(
  "A session of a person lasts as long as the ID token, on servers with the same rules alone",
  verifies("oidc.sign-in"),
  async () => {
    const clock = { time: START }
    const { caller, sessions, xet } = serverWith([RULE], clock)
    const made = await sessions.create(caller)
    const cookie = made?.value ?? ""
    const chunks = await xet.create(caller, { right: "write", fileset: "fileset-1" })
    expect([made?.end, chunks.end]).toEqual([START + HOUR / 2, START + HOUR / 2])
    expect(await sessions.find(cookie)).toEqual(caller)
    expect((await xet.find(chunks.token))?.caller.grants).toEqual([{ workspace: "default", role: "editor" }])
    expect(cookie.length).toBeLessThan(1000)

    const other = serverWith([{ ...RULE, role: "admin" }], clock)
    expect(await other.sessions.find(cookie)).toBeUndefined()
    expect(await other.xet.find(chunks.token)).toBeUndefined()
    clock.time = START + HOUR / 4
    // A renewed cookie ends at the same time.
    expect((await sessions.create(caller, cookie))?.end).toBe(START + HOUR / 2)
    clock.time = START + HOUR / 2
    expect(await sessions.find(cookie)).toBeUndefined()
    expect(await xet.find(chunks.token)).toBeUndefined()
    expect(await sessions.create(caller)).toBeUndefined()
    // Whoever sets the clock back does not bring them back to life.
    clock.time = START
    expect([await sessions.find(cookie), await xet.find(chunks.token)]).toEqual([undefined, undefined])
    expect(await sessions.create(caller)).toBeUndefined()
  },
)
