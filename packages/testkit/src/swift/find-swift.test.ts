import { expect, it } from "vitest"
import { findSwift } from "./find-swift.ts"

it("findSwift names the missing packages", () => {
  const reason = "not installed: swift-account, swift-container, swift-object, swift-proxy"
  expect(findSwift({ path: "" })).toEqual({ isThere: false, reason })
})

it.skipIf(!findSwift().isThere)("findSwift returns no installation if files have no extended attributes", () => {
  const reason = "the file system of /proc has no extended attributes"
  expect(findSwift({ dir: "/proc" })).toEqual({ isThere: false, reason })
})
