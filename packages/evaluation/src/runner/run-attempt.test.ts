import type { DatasetPin } from "@assay/schemas"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { changedPins } from "./run-attempt.ts"

const pin = (url: string, sha256: string): DatasetPin => ({
  files_url: url,
  fileset: "default/q",
  fileset_id: "fileset-1",
  revision: null,
  files: [{ path: "a.jsonl", size: 1, sha256, etag: null }],
})

describe("pins of a job that another runner continues", () => {
  it("report the datasets that have changed", verifies("eval.pins"), () => {
    expect(changedPins([pin("a", "1"), pin("b", "1")], [pin("a", "1"), pin("b", "2"), pin("c", "3")])).toEqual([
      expect.stringContaining("Dataset b has changed"),
    ])
    expect(changedPins([], [pin("a", "1")])).toEqual([])
  })
})
