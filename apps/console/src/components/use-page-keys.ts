import { useEffect, useEffectEvent } from "react"

/** The effects of keys anywhere on a page, by `event.key`. If one returns false, the browser handles the key. */
export type PageKeys = Readonly<Record<string, () => unknown>>

/** Elements to which every key belongs. */
const TYPED_IN = "input, select, textarea, [contenteditable], [role=separator]"
/** Elements that arrows and enter move, open or press. */
const MOVED = "pre, button, a, summary, [role=radiogroup], [role=listbox]"

export interface PageKeyOptions {
  /** Only with Control or Command. Default: only without them. */
  readonly withControl?: boolean
  /** Also while somebody types. Default false. */
  readonly inFields?: boolean
}

const NO_OPTIONS: PageKeyOptions = {}

/** Handles keys wherever the focus is, unless somebody types or the element with the focus uses the key itself. */
export function usePageKeys(
  keys: PageKeys,
  { withControl = false, inFields = false }: PageKeyOptions = NO_OPTIONS,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (event.defaultPrevented || (ctrlKey || metaKey) !== withControl || altKey || !Object.hasOwn(keys, key)) return
    if (document.querySelector("dialog[open]") !== null) return
    if (target instanceof Element) {
      if (!inFields && target.closest(TYPED_IN) !== null) return
      if ((key.startsWith("Arrow") || key === "Enter" || key === " ") && target.closest(MOVED) !== null) return
    }
    if (keys[key]?.() !== false) event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])
}
