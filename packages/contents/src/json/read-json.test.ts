import { describe, expect, it } from "vitest"
import { readJson } from "./read-json.ts"

describe("the text of a row", () => {
  it("is refused before it is parsed if it is long and deep", () => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`
    expect(readJson(deep)).toEqual({ row: null, fault: "is nested more than 1000 levels deep" })
  })

  it("is parsed if it is long and only looks deep", () => {
    const text = JSON.stringify({ text: `"${"[{".repeat(600_000)}`, list: Array.from({ length: 5000 }, () => [{}]) })
    expect(readJson(text).fault).toBeNull()
  })
})
