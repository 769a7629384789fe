import { runBounded } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatIndexList, parseIndexList, readIndexList } from "./index-list.ts"

describe("parseIndexList", () => {
  it("reads what formatIndexList writes", () => {
    for (const indexes of [[0], [0, 1, 2, 3, 4], [3, 7, 9], [0, 1, 5, 6, 7, 99_999]]) {
      expect(parseIndexList(formatIndexList(indexes))).toEqual(indexes)
    }
    expect(formatIndexList([0, 1, 2, 7, 9, 10])).toBe("0-2,7,9-10")
  })

  it("refuses lists that do not ascend, and texts that are none", () => {
    for (const text of ["", ",", "1,1", "2,1", "3-1", "1-", "-1", "a", "1,,2", "0x1", " 1", "1-2-3", "0-9999999"]) {
      expect(() => parseIndexList(text), text).toThrow("is not a list of indexes")
    }
  })
})

describe("readIndexList", () => {
  it("reads lists of any form, and leaves out what is not an index", () => {
    expect([...readIndexList("0-2,4,7,8,10-20:5,30-31:0")]).toEqual([0, 1, 2, 4, 7, 8, 10, 15, 20, 30, 31])
    expect([...readIndexList(""), ...readIndexList("x,-1,1-,2-1,...,N/A")]).toEqual([])
  })

  it("reads at most 100,000 indexes, however often a text repeats them", () => {
    expect(readIndexList("3-999999999").size).toBe(100_000)
    const text = Array.from({ length: 1_000_000 }, () => "0-99998").join(",")
    expect(runBounded(() => readIndexList(text).size)).toBe(99_999)
  })
})
