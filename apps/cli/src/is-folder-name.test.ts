import { expect, it } from "vitest"
import { isFolderName } from "./is-folder-name.ts"

it.each(["./a", "..", ".", "/a", "~/a", "a/", "a/b/", "C:\\a", "./a#b", "./a#b/"])(
  "isFolderName returns true for '%s'",
  (side) => expect(isFolderName(side)).toBe(true),
)

it.each(["a", "ws/a", "a#b", "ws/a#b/c.csv", "ws/a#b/"])("isFolderName returns false for '%s'", (side) =>
  expect(isFolderName(side)).toBe(false),
)
