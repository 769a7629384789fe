import { describe, expect, it } from "vitest"
import { html, withCode } from "./html.ts"

describe("html", () => {
  it("escapes values, keeps nested HTML, joins lists, and leaves out null and undefined", () => {
    expect(html`<b title="${'"<'}">${[html`<i>${"&"}</i>`, 1]}${null}${undefined}</b>`.html).toBe(
      '<b title="&quot;&lt;"><i>&amp;</i>1</b>',
    )
  })

  it("replaces control characters and the controls that turn text around", () => {
    expect(html`${"a\u0007b\u202Ec\td\ne"}`.html).toBe("a\uFFFDb\uFFFDc\td\ne")
  })
})

describe("withCode", () => {
  it("marks names between backticks as code, and escapes everything", () => {
    expect(html`${withCode("Set `max<b>` to 1 & retry.")}`.html).toBe("Set <code>max&lt;b&gt;</code> to 1 &amp; retry.")
  })
})
