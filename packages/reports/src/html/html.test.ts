import { describe, expect, it } from "vitest"
import { html, withCode } from "./html.ts"

describe("html", () => {
  it("escapes values, keeps nested HTML, joins lists, and leaves out null and undefined", () => {
    expect(html`<b title="${'"<'}">${[html`<i>${"&"}</i>`, 1]}${null}${undefined}</b>`.html).toBe(
      '<b title="&quot;&lt;"><i>&amp;</i>1</b>',
    )
  })

  it("shows control characters and controls of bidirectional text as ⟨U+202E⟩", () => {
    expect(html`${"Row 3: 'שלום' is 5"}`.html).toBe("Row 3: &#39;\u2068שלום\u2069&#39; is 5")
    expect(html`${"a\u0007b\u202Ec\u200F\td\r\ne"}`.html).toBe("a⟨U+0007⟩b⟨U+202E⟩c⟨U+200F⟩\td\ne")
  })
})

describe("withCode", () => {
  it("marks names between backticks as code, and escapes everything", () => {
    expect(html`${withCode("Set `max<b>` to 1 & retry.")}`.html).toBe("Set <code>max&lt;b&gt;</code> to 1 &amp; retry.")
  })
})
