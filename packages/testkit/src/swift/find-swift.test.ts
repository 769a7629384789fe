import { expect, it } from "vitest"
import { findSwift } from "./find-swift.ts"

it("says which packages of Swift are missing", () => {
  const reason = "not installed: swift-account, swift-container, swift-object, swift-proxy"
  expect(findSwift({ path: "" })).toEqual({ isThere: false, reason })
})

it.skipIf(!findSwift().isThere)("finds no use for Swift where files have no extended attributes", () => {
  const reason = "the file system of /proc has no extended attributes"
  expect(findSwift({ dir: "/proc" })).toEqual({ isThere: false, reason })
})
