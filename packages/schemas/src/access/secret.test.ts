import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseSecretRef, SecretRef } from "./secret.ts"

const pattern = new RegExp(SecretRef.pattern ?? "", "u")

describe("parseSecretRef", () => {
  it.each([
    ["hub-token", { workspace: "default", name: "hub-token" }],
    ["shared/hub-token", { workspace: "shared", name: "hub-token" }],
    ["a.b@c+d/x_1.y@z+", { workspace: "a.b@c+d", name: "x_1.y@z+" }],
  ])("resolves %s, by default in the workspace of the request", verifies("secret-ref.forms"), (ref, address) => {
    expect(pattern.test(ref)).toBe(true)
    expect(parseSecretRef(ref, "default")).toEqual(address)
  })

  it.each([
    "",
    "/",
    "/name",
    "workspace/",
    "a/b/c",
    "two words",
    "a b/c",
    "naïve",
    "name\n",
    `${"w".repeat(64)}/a`,
    "n".repeat(256),
  ])("is not called for %j, which the pattern refuses", (ref) => {
    expect(pattern.test(ref)).toBe(false)
  })
})
