import { expect, it } from "vitest"
import { slowListings } from "./slow-listings.ts"

it("counts slow listings by the fault before them", () => {
  const faults = [
    { at: 10_000, kind: "server" },
    { at: 20_000, kind: "database" },
    { at: 30_000, kind: "server" },
  ] as const
  const listings = [
    { endedAt: 9000, ms: 31 },
    { endedAt: 11_000, ms: 50 },
    { endedAt: 12_000, ms: 30 },
    { endedAt: 20_000, ms: 40 },
    { endedAt: 31_200, ms: 90 },
    { endedAt: 34_000, ms: 31 },
  ]
  expect(slowListings(listings, faults, 30)).toEqual([
    { after: "server", count: 3, secondsAfter: 1.2 },
    { after: "none", count: 1, secondsAfter: 0 },
    { after: "database", count: 1, secondsAfter: 0 },
  ])
})
