import { describe, expect, it } from "vitest"
import { indexOfShard } from "./index-of-shard.ts"

describe("indexOfShard", () => {
  it("picks the entry of a list that the index of the engine names", () => {
    expect(indexOfShard({ indexes: "3,7-9" }, { JOB_COMPLETION_INDEX: "2" })).toBe(8)
    expect(indexOfShard({ indexes: "3,7" }, { AWS_BATCH_JOB_ARRAY_INDEX: "0" })).toBe(3)
  })

  it("refuses an index that the list does not have, and a list beside an index", () => {
    expect(() => indexOfShard({ indexes: "3,7" }, { JOB_COMPLETION_INDEX: "2" })).toThrow(
      "JOB_COMPLETION_INDEX is 2, and --indexes has 2 entries, which are counted from 0",
    )
    expect(() => indexOfShard({ index: 3, indexes: "3,7" }, {})).toThrow("exclude each other")
    expect(() => indexOfShard({ indexes: "3,7" }, {})).toThrow("Which shard?")
  })

  it("prefers the given index to that of the engine", () => {
    expect(indexOfShard({ index: 3 }, { JOB_COMPLETION_INDEX: "2" })).toBe(3)
    expect(indexOfShard({}, { JOB_COMPLETION_INDEX: "2" })).toBe(2)
  })
})
