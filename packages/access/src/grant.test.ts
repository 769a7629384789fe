import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import {
  EVERYONE,
  NOBODY,
  requireRole,
  requireRoleEverywhere,
  roleIn,
  visibleWorkspaces,
  type Caller,
} from "./grant.ts"

const CALLER: Caller = {
  id: "t",
  name: "t",
  grants: [
    { workspace: "a", role: "viewer" },
    { workspace: "a", role: "editor" },
    { workspace: "b", role: "viewer" },
  ],
}
const withCode = (code: string) => expect.objectContaining({ code })

describe("the grants of a caller", () => {
  it("give the strongest role in a workspace", () => {
    expect(["a", "b", "c"].map((workspace) => roleIn(CALLER, workspace))).toEqual(["editor", "viewer", undefined])
    expect([roleIn(EVERYONE, "a"), roleIn(NOBODY, "a")]).toEqual(["admin", undefined])
  })

  it("hide a workspace without a role, and refuse a weaker role", verifies("auth.hidden", "auth.forbidden"), () => {
    expect(() => requireRole(CALLER, "a", "viewer")).not.toThrow()
    expect(() => requireRole(CALLER, "b", "editor")).toThrow(withCode("forbidden"))
    expect(() => requireRole(CALLER, "c", "viewer")).toThrow(withCode("not_found"))
  })

  it("for single workspaces are not enough for all workspaces", () => {
    expect(() => requireRoleEverywhere(CALLER, "viewer")).toThrow(withCode("forbidden"))
    expect(() => requireRoleEverywhere(EVERYONE, "admin")).not.toThrow()
  })

  it("decide which workspaces are listed", verifies("auth.listing"), () => {
    expect(visibleWorkspaces(CALLER)).toEqual(["a", "a", "b"])
    expect(visibleWorkspaces(EVERYONE)).toBe("all")
  })
})
