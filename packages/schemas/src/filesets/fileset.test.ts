import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { FilesetName } from "./fileset.ts"

const pattern = new RegExp(FilesetName.pattern ?? "", "u")

describe("FilesetName", () => {
  it.each(["a", "Reviews_2025.v1-final", "...", ".a", "a.", "-", "_", "5"])(
    "accepts %s",
    verifies("filesets.create.name"),
    (name) => {
      expect(pattern.test(name)).toBe(true)
    },
  )

  it.each(["", ".", "..", "a b", "a/b", "a#b", "a\\b", "ä", "a%", "a\n", "..\n"])(
    "refuses %j",
    verifies("filesets.create.name"),
    (name) => {
      expect(pattern.test(name)).toBe(false)
    },
  )

  it("has 1 to 255 characters", verifies("filesets.create.name"), () => {
    expect(FilesetName).toMatchObject({ minLength: 1, maxLength: 255 })
  })
})
