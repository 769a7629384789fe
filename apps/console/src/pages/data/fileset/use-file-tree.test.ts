import type { FileInfo } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { entriesBelow } from "./use-file-tree.ts"

const files = ["a.csv", "train/1.jsonl", "train/deep/2.jsonl", "trainer.txt"].map(
  (path, place) => ({ path, size: 10 ** place }) as FileInfo,
)

describe("the entries of a folder", () => {
  it("are its folders with their sums, then its files", () => {
    expect(entriesBelow(files, "")).toEqual([
      { kind: "folder", name: "train", path: "train/", files: 2, size: 110 },
      { kind: "file", name: "a.csv", path: "a.csv", file: files[0] },
      { kind: "file", name: "trainer.txt", path: "trainer.txt", file: files[3] },
    ])
  })

  it("of a folder below are named without its path", () => {
    expect(entriesBelow(files, "train/").map(({ name }) => name)).toEqual(["deep", "1.jsonl"])
    expect(entriesBelow(files, "gone/")).toEqual([])
  })
})
