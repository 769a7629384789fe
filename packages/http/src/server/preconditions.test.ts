import { describe, expect, it } from "vitest"
import { checkReadConditions, hasConditions, rangeApplies, writeConditions } from "./preconditions.ts"

const FILE = { etag: '"a"', updatedAt: Date.parse("2026-01-01T00:00:00.900Z") }
const SAME = "Thu, 01 Jan 2026 00:00:00 GMT"
const EARLIER = "Wed, 31 Dec 2025 23:59:59 GMT"
const failed = expect.objectContaining({ code: "precondition_failed" })

describe("the conditions of a read", () => {
  it.each([
    { "if-none-match": '"a"' },
    { "if-none-match": '"b", W/"a"' },
    { "if-none-match": "*" },
    { "if-modified-since": SAME },
  ])("%o makes the response not-modified", (headers) => {
    expect(hasConditions(headers)).toBe(true)
    expect(checkReadConditions(headers, FILE)).toBe("not-modified")
  })

  it.each([
    {},
    { "if-none-match": '"b"' },
    { "if-modified-since": EARLIER },
    { "if-modified-since": "no date" },
    { "if-match": '"b", "a"' },
    { "if-match": "*" },
    { "if-unmodified-since": SAME },
    // An ETag decides before a date does.
    { "if-none-match": '"b"', "if-modified-since": SAME },
    { "if-match": '"a"', "if-unmodified-since": EARLIER },
  ])("%o sends the file", (headers) => {
    expect(checkReadConditions(headers, FILE)).toBe("send")
  })

  it.each([{ "if-match": '"b"' }, { "if-match": 'W/"a"' }, { "if-unmodified-since": EARLIER }])(
    "%o fails with precondition_failed",
    (headers) => {
      expect(() => checkReadConditions(headers, FILE)).toThrow(failed)
    },
  )

  it("of a file without ETag and date match only *", () => {
    const unknown = { etag: null, updatedAt: null }
    expect(checkReadConditions({ "if-match": "*" }, unknown)).toBe("send")
    expect(checkReadConditions({ "if-modified-since": SAME }, unknown)).toBe("send")
    expect(() => checkReadConditions({ "if-match": '"a"' }, unknown)).toThrow(failed)
  })

  it("decide with If-Range whether a range applies, by strong comparison", () => {
    const later = Date.parse("2026-01-01T00:00:01Z")
    const applies = (header: string) => rangeApplies({ "if-range": header }, FILE, later)
    expect(['"a"', SAME].map(applies)).toEqual([true, true])
    expect(['"b"', 'W/"a"', EARLIER, "no date"].map(applies)).toEqual([false, false, false, false])
    expect(rangeApplies({}, FILE, later)).toBe(true)
    expect(applies("Thu, 01 Jan 2026 00:00:01 GMT")).toBe(false)
  })

  it("does not apply a range by a date within the second of the file's last change", () => {
    const applies = (now: number) => rangeApplies({ "if-range": SAME }, FILE, now)
    expect([FILE.updatedAt, FILE.updatedAt + 99, FILE.updatedAt + 100].map(applies)).toEqual([false, false, true])
  })
})

describe("the conditions of a write", () => {
  it("are one ETag, any file or no file", () => {
    expect(writeConditions({})).toEqual({ ifMatch: undefined, ifNoneMatch: undefined })
    expect(writeConditions({ "if-match": ' "a" ' })).toMatchObject({ ifMatch: '"a"' })
    expect(writeConditions({ "if-none-match": " * " })).toMatchObject({ ifNoneMatch: "*" })
  })

  it.each([{ "if-none-match": '"a"' }, { "if-match": '"a", "b"' }])("%o is a bad_request", (headers) => {
    expect(() => writeConditions(headers)).toThrow(expect.objectContaining({ code: "bad_request" }))
  })
})
