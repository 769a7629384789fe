import { useEffect, type RefObject } from "react"

/**
 * Keeps the focus on the page when its element goes away, for users of the keyboard and of screen readers.
 *
 * A browser gives the focus of a removed or disabled element to the body, where the next Tab begins at the top.
 * Here the nearest part around it that can have the focus takes it, at last the page itself.
 * A button that was disabled while its request ran has the focus again afterwards.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = page.current
    if (main === null) return undefined
    // The element that has or had the focus, and the parts around it that can have it.
    let parts: readonly HTMLElement[] = []
    const remember = ({ target }: FocusEvent) => {
      parts = partsAround(target as HTMLElement, main)
    }
    const observer = new MutationObserver((changes) => {
      const [last] = parts
      if (last === undefined || document.activeElement !== document.body) return
      // Somebody who pressed beside an element has left it, and it is still there.
      const isBack = changes.some(({ type, target }) => type === "attributes" && target === last)
      if (last.isConnected && !isBack) return
      parts.find((part) => part.isConnected)?.focus({ preventScroll: true })
    })
    observer.observe(main, { childList: true, subtree: true, attributeFilter: ["disabled"] })
    main.addEventListener("focusin", remember)
    return () => {
      observer.disconnect()
      main.removeEventListener("focusin", remember)
    }
  }, [page])
}

/** Returns an element and, from the inside out, the parts around it that can have the focus. */
function partsAround(element: HTMLElement, main: HTMLElement): readonly HTMLElement[] {
  const parts = [element]
  for (let part = element.parentElement; part !== null && main.contains(part); part = part.parentElement)
    if (part.hasAttribute("tabindex")) parts.push(part)
  return parts
}
