import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatFileAddress, parseFileAddress, parseFilesetAddress, parsePathAddress } from "./file-address.ts"

describe("the address of a file", () => {
  it.each([
    ["ws/name#a/b.csv", { workspace: "ws", fileset: "name", path: "a/b.csv" }],
    ["ws/name", { workspace: "ws", fileset: "name" }],
    ["name#a#b?c", { workspace: "mine", fileset: "name", path: "a#b?c" }],
    ["name", { workspace: "mine", fileset: "name" }],
    ["ws/name#", { workspace: "ws", fileset: "name", path: "" }],
  ])("%s is parsed as %j", verifies("cli.address"), (text, address) =>
    expect(parseFileAddress(text, "mine")).toEqual(address),
  )

  it.each(["./x.csv", "../ws", "~/name", "/name", "./a/b#c"])("%j is refused as a path of this machine", (text) => {
    expect(() => parseFileAddress(text, "mine")).toThrow(`'${text}' is a path of this machine`)
  })

  it.each(["", "#path", "ws/", "a/b/c", "ws//name"])("%j is refused", (text) => {
    expect(() => parseFileAddress(text, "mine")).toThrow(/does not name a fileset/)
  })

  it("with a path after a slash is refused, and the one that is meant is named", () => {
    const remedy = "A path comes after '#': write 'ws/name#a/b.csv'."
    expect(() => parseFileAddress("ws/name/a/b.csv", "mine")).toThrow(expect.objectContaining({ context: { remedy } }))
    expect(() => parseFileAddress("ws//a", "mine")).toThrow(expect.objectContaining({ context: {} }))
  })

  it("with a path is refused if a whole fileset is needed", () => {
    expect(() => parseFilesetAddress("ws/name#a", "mine")).toThrow("leave out '#a'")
    expect(parseFilesetAddress("ws/name#", "mine")).toEqual({ workspace: "ws", fileset: "name" })
  })

  it("without a path is refused if a file is needed", () => {
    expect(() => parsePathAddress("name", "mine")).toThrow("write it like mine/name#train/a.csv")
  })

  it("is parsed back from its formatted text, with any path", () => {
    const name = fc.stringMatching(/^\w[\w.-]*$/)
    fc.assert(
      fc.property(
        name,
        name,
        fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        (workspace, fileset, path) => {
          const address = { workspace, fileset, ...(path === undefined ? {} : { path }) }
          expect(parseFileAddress(formatFileAddress(address), "mine")).toEqual(address)
        },
      ),
    )
  })
})
