import { expect, it } from "vitest"
import { isFolderName, isLocal } from "./is-folder-name.ts"

it.each(["./a", "..", ".", "/a", "~/a", "a/", "a/b/", "C:\\a", "./a#b", "./a#b/"])(
  "isFolderName returns true for '%s'",
  (side) => expect(isFolderName(side)).toBe(true),
)

it.each(["a", "ws/a", "a#b", "ws/a#b/c.csv", "ws/a#b/"])("isFolderName returns false for '%s'", (side) =>
  expect(isFolderName(side)).toBe(false),
)

it.each([
  ["is-folder-name.ts", true],
  ["commands/eval", true],
  ["./missing.csv", true],
  ["missing.csv", false],
  ["commands#eval", false],
  ["eval-3QJmnh8Y1kGqvS4cQKFJ2b", false],
  ["", false],
  ["a\0b", false],
])("isLocal of '%s' beside these files is %s", (side, expected) =>
  expect(isLocal({ cwd: import.meta.dirname }, side)).toBe(expected),
)
