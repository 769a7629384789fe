import { describe, expect, it } from "vitest"
import { cutIntoArrays, parseIndexes } from "./array-indexes.ts"

describe("indexes of an array", () => {
  it.each([
    ["[4-7%2]", [4, 5, 6, 7]],
    ["0-1,3-5%64", [0, 1, 3, 4, 5]],
    ["1-7:3", [1, 4, 7]],
    ["[0,2,4,...]", [0, 2, 4]],
    ["N/A", []],
    ["", []],
    ["5-", []],
    ["9-3", []],
  ])("Slurm's %s is read as %j", (text, indexes) => {
    expect(parseIndexes(text)).toEqual(indexes)
  })

  it("shards are cut into arrays whose indexes the cluster accepts", () => {
    expect(cutIntoArrays([0, 1000, 1001, 1003, 3002], 1001)).toEqual([
      { offset: 0, indexes: [0, 1000] },
      { offset: 1001, indexes: [0, 2] },
      { offset: 2002, indexes: [1000] },
    ])
    expect(cutIntoArrays([], 1001)).toEqual([])
  })
})
