import { useLayoutEffect, type RefObject } from "react"

/** Pixels that stay free below a table: the lower edge of the page. */
const BELOW = 60
/** A table that would be lower than this is as high as a window in which it was scrolled to the top. */
const MIN_HEIGHT = 320
/** The bar of the console, and the tools of a table that was scrolled to the top. */
const AROUND = 120

/**
 * Computes the height with which a table or a panel ends with the window, whatever is above it, so that its last row is in sight without scrolling the
 * page. It follows when the page above gets higher or lower. The height is the variable `--fitted` of the style of the element.
 */
export function useFittedHeight(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const fit = () => {
      if (target.hidden) return
      const above = target.getBoundingClientRect().top + window.scrollY
      const left = window.innerHeight - above - BELOW
      const height = left >= MIN_HEIGHT ? left : Math.max(MIN_HEIGHT, window.innerHeight - AROUND)
      target.style.setProperty("--fitted", `${Math.round(height)}px`)
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(document.body)
    window.addEventListener("resize", fit)
    return () => {
      observer.disconnect()
      window.removeEventListener("resize", fit)
    }
  }, [element])
}

/** Scrolls the page by as much as brings a row of a table into the window, if the table itself shows it. `top` is what covers the window at its upper edge. */
export function scrollPageTo(row: Element | null, top: number): void {
  if (row === null) return
  const box = row.getBoundingClientRect()
  const below = box.bottom - window.innerHeight
  if (below > 0) window.scrollBy(0, below + BELOW / 4)
  else if (box.top < top) window.scrollBy(0, box.top - top)
}
