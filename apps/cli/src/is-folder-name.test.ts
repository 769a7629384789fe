import { expect, it } from "vitest"
import { isFolderName } from "./is-folder-name.ts"

it.each(["./a", "..", ".", "/a", "~/a", "a/", "a/b/", "C:\\a", "./a#b", "./a#b/"])("'%s' is a folder", (side) =>
  expect(isFolderName(side)).toBe(true),
)

it.each(["a", "ws/a", "a#b", "ws/a#b/c.csv", "ws/a#b/"])("'%s' is a fileset, or a part of one", (side) =>
  expect(isFolderName(side)).toBe(false),
)
