import { printableText } from "@assay/schemas"
import type { ElementType, JSX, Key, ReactElement } from "react"
import { jsx as createElement, jsxs as createElementOfSeveral } from "react/jsx-runtime"

export { Fragment } from "react/jsx-runtime"
export type { JSX }

type Props = Readonly<Record<string, unknown>>

/** Attributes whose text is shown or spoken. */
const SHOWN_ATTRIBUTES = ["title", "alt", "placeholder", "aria-label", "aria-description"]

/**
 * Creates an element of a page, as the compiler asks for each tag of the console. It shows control characters of texts as `⟨U+202E⟩`:
 * names, prompts and answers come from others and must not reorder what stands around them. The values of fields stay as they are.
 */
export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return createElement(type, shownProps(props), key)
}

/** Creates an element with several children. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return createElementOfSeveral(type, shownProps(props), key)
}

function shownProps(props: Props): Props {
  const changed: Record<string, unknown> = {}
  for (const name of SHOWN_ATTRIBUTES) {
    const value = props[name]
    if (typeof value === "string") changed[name] = shownText(value)
  }
  const { children } = props
  if (children !== undefined) changed["children"] = shownChildren(children)
  return { ...props, ...changed }
}

function shownChildren(children: unknown): unknown {
  if (typeof children === "string") return shownText(children)
  return Array.isArray(children) ? children.map(shownChildren) : children
}

function shownText(text: string): string {
  // The lines of a file from Windows are not marked one by one.
  return printableText(text.replaceAll("\r\n", "\n"))
}
