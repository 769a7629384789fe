import { describe, expect, it } from "vitest"
import { ERROR_CATALOGUE } from "./error-catalogue.ts"
import type { ErrorEntry } from "./error-entry.ts"

const entries: readonly (readonly [string, ErrorEntry])[] = Object.entries(ERROR_CATALOGUE)

describe("ERROR_CATALOGUE", () => {
  it("has the codes that clients rely on", () => {
    expect(Object.keys(ERROR_CATALOGUE)).toEqual(
      expect.arrayContaining(["invalid_request", "unknown_filter_field", "bad_filter", "not_found", "already_exists"]),
    )
  })

  it.each(entries)(
    "describes %s with sentences for its meaning and its remedy",
    (code, { meaning, remedy, status, retry }) => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(meaning).toMatch(/^[A-Z].{10,}\.$/)
      expect(remedy).toMatch(/^[A-Z].{10,}\.$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      expect(["never", "later"]).toContain(retry)
    },
  )

  it("has retry later for every status that comes with Retry-After", () => {
    for (const [code, { status, retry }] of entries) {
      if (status === 429 || status === 503) expect([code, retry]).toEqual([code, "later"])
    }
  })
})
