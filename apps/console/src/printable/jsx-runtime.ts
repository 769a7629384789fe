import { isolate, isolateQuoted, printableText } from "@assay/schemas"
import type { ElementType, JSX, Key, ReactElement } from "react"
import { jsx as createElement, jsxs as createElementOfSeveral } from "react/jsx-runtime"

export { Fragment } from "react/jsx-runtime"
export type { JSX }

type Props = Readonly<Record<string, unknown>>

/** Elements whose text is copied as it is. */
const VERBATIM: ReadonlySet<unknown> = new Set(["pre", "code", "textarea", "option"])

/** Attributes whose text is shown or spoken. */
const SHOWN_ATTRIBUTES = ["title", "alt", "placeholder", "aria-label", "aria-description"]

/**
 * Creates an element of a page, as the compiler asks for each tag of the console. It shows control characters of texts as `⟨U+202E⟩`:
 * names, prompts and answers come from others and must not reorder what stands around them. Right-to-left text is isolated where it
 * is a part of a sentence. The values of fields stay as they are.
 */
export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return createElement(type, shownProps(type, props), key)
}

/** Creates an element with several children. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return createElementOfSeveral(type, shownProps(type, props), key)
}

function shownProps(type: ElementType, props: Props): Props {
  // A component passes its texts on to elements, where they are isolated once.
  const isComponent = typeof type === "function"
  const show = (text: string) => (isComponent ? shownText(text) : isolateQuoted(shownText(text)))
  const changed: Record<string, unknown> = {}
  for (const name of SHOWN_ATTRIBUTES) {
    const value = props[name]
    if (typeof value === "string") changed[name] = show(value)
  }
  const { children } = props
  if (children !== undefined) changed["children"] = shownChildren(children, isComponent || VERBATIM.has(type), show)
  return { ...props, ...changed }
}

/** Isolates each text that has other children beside it: it is a part of a sentence. */
function shownChildren(children: unknown, isVerbatim: boolean, show: (text: string) => string): unknown {
  if (typeof children === "string") return isVerbatim ? shownText(children) : show(children)
  if (!Array.isArray(children)) return children
  return children.map((child) =>
    typeof child === "string" && !isVerbatim ? isolate(shownText(child)) : shownChildren(child, isVerbatim, show),
  )
}

function shownText(text: string): string {
  // The lines of a file from Windows are not marked one by one.
  return printableText(text.replaceAll("\r\n", "\n"))
}
