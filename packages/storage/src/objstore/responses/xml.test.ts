import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { elementText, escapeXml } from "./xml.ts"

describe("elementText", () => {
  it("returns the text of the first element with the name", () => {
    const xml = "<Error><Code>One</Code><Codec>Two</Codec><Code>Three</Code><Empty></Empty></Error>"
    expect(["Code", "Codec", "Empty", "Other"].map((name) => elementText(xml, name))).toEqual([
      "One",
      "Two",
      "",
      undefined,
    ])
    expect(elementText("<Code>cut", "Code")).toBeUndefined()
  })

  it("decodes escaped characters", () => {
    expect(elementText("<K>&lt;&#65;&#x42;&quot;&apos;&amp;amp;&constructor;&#x110000;</K>", "K")).toBe(
      "<AB\"'&amp;&constructor;&#x110000;",
    )
    fc.assert(fc.property(fc.string(), (text) => elementText(`<K>${escapeXml(text)}</K>`, "K") === text))
  })
})
