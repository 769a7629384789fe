import { printableText } from "@assay/schemas"
import { createElement, Fragment, type ReactElement } from "react"

/** Renders a text with the names between backticks as code. */
export function WithCode({ text }: { readonly text: string }): ReactElement {
  const parts = printableText(text)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? createElement("code", null, part) : part))
  // Given one by one, as fixed children: parts of a text need no keys.
  return createElement(Fragment, null, ...parts)
}
