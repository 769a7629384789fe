import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { fileUrl } from "./file-info.ts"

describe("fileUrl", () => {
  it.each([
    ["a.csv", "a.csv"],
    ["a/b/c.csv", "a/b/c.csv"],
    ["with space & more?.csv", "with%20space%20%26%20more%3F.csv"],
    ["100%/#1.csv", "100%25/%231.csv"],
    ["größe/日本.csv", "gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC.csv"],
    ["a+b=c.csv", "a%2Bb%3Dc.csv"],
    ["a%2Fb", "a%252Fb"],
  ])("encodes %s by segment", verifies("files.shape.file-url"), (path, encoded) => {
    expect(fileUrl("team@a", "reviews", path)).toBe(`/apis/files/v2/workspaces/team%40a/filesets/reviews/-/${encoded}`)
  })

  it("keeps every path unchanged through the URL parser", verifies("files.shape.file-url"), () => {
    const segment = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/^\.{1,2}$|[/\\]/.test(text))
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
        const url = new URL(fileUrl("default", "reviews", segments.join("/")), "http://localhost")
        const { pathname, search, hash } = url
        const path = pathname.slice("/apis/files/v2/workspaces/default/filesets/reviews/-/".length)
        expect(path.split("/").map(decodeURIComponent)).toEqual(segments)
        expect(search + hash).toBe("")
      }),
    )
  })
})
