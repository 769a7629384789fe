import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react"
import { scrolledHeight, scrollTo, scrollToRow, visibleRows, type ListSize, type RowWindow } from "./row-window.ts"

export interface WindowedRows {
  /** The height of the element that is scrolled, in pixels. */
  readonly height: number
  /** Visible rows, `end` not included. */
  readonly start: number
  readonly end: number
  /** Pixels of the first visible row that are above the edge. */
  readonly cut: number
  /** Number of rows that fit. */
  readonly fits: number
  readonly moveTo: (index: number) => void
}

/** Returns which rows of a list are visible in `element`, and keeps it up to date while it is scrolled and resized. */
export function useRowWindow(
  element: RefObject<HTMLElement | null>,
  { rows, rowHeight, headHeight }: { readonly rows: number; readonly rowHeight: number; readonly headHeight: number },
): WindowedRows {
  const [view, setView] = useState<RowWindow>({ position: 0, scrollTop: 0 })
  const [viewHeight, setViewHeight] = useState(rowHeight * 20)
  const size: ListSize = { rows, rowHeight, viewHeight }
  const latest = useRef(size)
  latest.current = size

  useEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const scroll = () => setView((before) => scrollTo(before, target.scrollTop, latest.current))
    const observer = new ResizeObserver(() => {
      setViewHeight(Math.max(rowHeight, target.clientHeight - headHeight))
      scroll()
    })
    observer.observe(target)
    target.addEventListener("scroll", scroll, { passive: true })
    return () => {
      observer.disconnect()
      target.removeEventListener("scroll", scroll)
    }
  }, [element, rowHeight, headHeight])

  useLayoutEffect(() => {
    const target = element.current
    if (target !== null && Math.abs(target.scrollTop - view.scrollTop) > 1) target.scrollTop = view.scrollTop
  }, [element, view])

  // Rows can have gone since the last scroll.
  const clamped = { ...view, position: Math.min(view.position, Math.max(0, rows * rowHeight - viewHeight)) }
  const { start, end } = visibleRows(clamped, size)
  return {
    height: scrolledHeight(size),
    start,
    end,
    cut: clamped.position - start * rowHeight,
    fits: Math.max(1, Math.floor(viewHeight / rowHeight)),
    moveTo: useCallback((index) => setView((before) => scrollToRow(before, index, latest.current)), []),
  }
}
