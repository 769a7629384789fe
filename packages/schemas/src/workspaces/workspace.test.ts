import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { BUILT_IN_WORKSPACES, WORKSPACE_NAME_PATTERN } from "./workspace.ts"

const pattern = new RegExp(WORKSPACE_NAME_PATTERN, "u")

describe("WorkspaceName", () => {
  it.each([...BUILT_IN_WORKSPACES, "ab", "a1", "team-a", "a.b", "a@b+c_d", "a_", "a-b-c", `a${"b".repeat(62)}`])(
    "accepts %s",
    verifies("workspaces.name"),
    (name) => {
      expect(pattern.test(name)).toBe(true)
    },
  )

  it.each([
    "",
    "a",
    "-",
    "1a",
    "_a",
    "Ab",
    "aB",
    "a--b",
    "a-",
    "ab-",
    "a b",
    "a/b",
    "ä1",
    "aß",
    "ab\n",
    `a${"b".repeat(63)}`,
  ])("refuses %j", verifies("workspaces.name"), (name) => {
    expect(pattern.test(name)).toBe(false)
  })
})
