import type { FileInfo } from "@assay/schemas"
import { expect, it } from "vitest"
import { sortEntries } from "./sort-entries.ts"
import { entriesOf } from "./use-file-entries.ts"

const files = ["train/1.jsonl", "train/2.jsonl"].map((path, position) => ({ path, size: 10 ** position }) as FileInfo)
const folders = [
  { path: "train/deep/", files: 2, bytes: 110 },
  { path: "train/vast/", files: null, bytes: null },
]

it("the entries of a folder are its folders, then its files, all named without its path", () => {
  expect(entriesOf({ data: files, folders }, "train/")).toEqual([
    { kind: "folder", name: "deep", path: "train/deep/", files: 2, size: 110 },
    { kind: "folder", name: "vast", path: "train/vast/", files: null, size: null },
    { kind: "file", name: "1.jsonl", path: "train/1.jsonl", file: files[0] },
    { kind: "file", name: "2.jsonl", path: "train/2.jsonl", file: files[1] },
  ])
  expect(entriesOf({ data: files }, "").map(({ name }) => name)).toEqual(["train/1.jsonl", "train/2.jsonl"])
})

it("a folder of unknown size counts as the largest", () => {
  const entries = entriesOf({ data: files, folders }, "train/")
  const names = (sort: string | undefined) => sortEntries(entries.toReversed(), sort).map(({ name }) => name)
  expect(names("-size")).toEqual(["vast", "deep", "2.jsonl", "1.jsonl"])
  expect(names("size")).toEqual(["deep", "vast", "1.jsonl", "2.jsonl"])
  expect(names(undefined)).toEqual(["vast", "deep", "2.jsonl", "1.jsonl"])
})
