/** The visible part of a list. Heights and positions are in pixels. */
export interface RowWindow {
  /** The position of the first visible pixel in a list that has no limit of height. */
  readonly position: number
  /** The scroll position of the element. */
  readonly scrollTop: number
}

export interface ListSize {
  readonly rows: number
  readonly rowHeight: number
  /** The height of what is visible at once. */
  readonly viewHeight: number
}

/** The largest height of an element, in pixels. Firefox stops at 17.9 million, Chromium at 33.5 million. */
export const MAX_HEIGHT = 15_000_000

/** Returns the height of the element that is scrolled. */
export function scrolledHeight({ rows, rowHeight }: ListSize): number {
  return Math.min(MAX_HEIGHT, rows * rowHeight)
}

/**
 * Returns what is visible after the element was scrolled. In a list that is higher than a browser allows, small steps move by
 * as many pixels as the wheel or a key asks for, and large ones, such as a drag of the scroll bar, move to the same share of the list.
 */
export function scrollTo(before: RowWindow, scrollTop: number, size: ListSize): RowWindow {
  const whole = size.rows * size.rowHeight
  const height = scrolledHeight(size)
  const end = Math.max(0, whole - size.viewHeight)
  const scrollEnd = Math.max(0, height - size.viewHeight)
  if (whole <= height) return { position: Math.min(scrollTop, end), scrollTop }
  if (scrollTop <= 0) return { position: 0, scrollTop }
  if (scrollTop >= scrollEnd - 1) return { position: end, scrollTop }
  const step = scrollTop - before.scrollTop
  const position = Math.abs(step) <= size.viewHeight ? before.position + step : (scrollTop / scrollEnd) * end
  return { position: Math.min(end, Math.max(0, position)), scrollTop }
}

/** Returns what is visible when the row `index` is moved into view with the least movement. */
export function scrollToRow(before: RowWindow, index: number, size: ListSize): RowWindow {
  const top = index * size.rowHeight
  const bottom = top + size.rowHeight
  const isBelow = bottom > before.position + size.viewHeight
  if (top >= before.position && !isBelow) return before
  const end = Math.max(0, size.rows * size.rowHeight - size.viewHeight)
  const position = Math.min(end, Math.max(0, isBelow ? bottom - size.viewHeight : top))
  const scrollEnd = Math.max(0, scrolledHeight(size) - size.viewHeight)
  const isShrunk = size.rows * size.rowHeight > scrolledHeight(size)
  return { position, scrollTop: isShrunk && end > 0 ? (position / end) * scrollEnd : position }
}

/** Returns the visible rows, `end` not included. */
export function visibleRows({ position }: RowWindow, size: ListSize): { readonly start: number; readonly end: number } {
  const start = Math.max(0, Math.min(size.rows, Math.floor(position / size.rowHeight)))
  return { start, end: Math.min(size.rows, start + Math.ceil(size.viewHeight / size.rowHeight) + 1) }
}
