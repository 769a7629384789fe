import { describe, expect, it } from "vitest"
import { readJson } from "./read-json.ts"

describe("the JSON text of a row", () => {
  it("is refused before parsing if it is long and nested too deeply", () => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`
    expect(readJson(deep, "text")).toEqual({ row: null, fault: "is nested more than 1000 levels deep" })
  })

  it("is parsed if it is long and only looks nested", () => {
    const text = JSON.stringify({ text: `"${"[{".repeat(600_000)}`, list: Array.from({ length: 5000 }, () => [{}]) })
    expect(readJson(text, "text").fault).toBeNull()
  })

  it("is refused before parsing if it has too many keys or values", () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"key number ${at}":1`).join(",")}}`
    expect(readJson(keys(50_001), "text")).toEqual({ row: null, fault: "has more than 50000 keys" })
    expect(readJson(keys(50_000), "text").fault).toBeNull()
    const texts = (count: number) => `[${'"",'.repeat(count - 1)}""]`
    expect(readJson(texts(200_001), "text")).toEqual({ row: null, fault: "has more than 200000 keys and texts" })
    expect(readJson(texts(200_000), "text").fault).toBeNull()
    expect(readJson(`[${"1,".repeat(1_000_000)}1]`, "text")).toEqual({
      row: null,
      fault: "has more than 1000000 values",
    })
    // The content of strings is not counted.
    expect(readJson(`["${":,[{".repeat(1_000_000)}"]`, "text").fault).toBeNull()
  })
})
