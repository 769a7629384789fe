import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { jsx, jsxs } from "./jsx-runtime.ts"

const Sentence = ({ title, children }: { readonly title: string; readonly children: string }) =>
  jsxs("p", { title, children: ["Rows of ", children, ": ", 3] })

it("right-to-left text in a sentence is isolated once, and control characters are shown", () => {
  const page = jsx(Sentence, { title: "Delete “שלום”, 3 rows?", children: "שלום 2\u202E" })
  expect(renderToStaticMarkup(page)).toBe(
    '<p title="Delete “\u2068שלום\u2069”, 3 rows?">Rows of \u2068שלום 2⟨U+202E⟩\u2069: 3</p>',
  )
  const code = jsxs("pre", { children: ["a 'שלום'", "b"] })
  expect(renderToStaticMarkup(code)).toBe("<pre>a &#x27;שלום&#x27;b</pre>")
})
