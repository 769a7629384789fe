import { describe, expect, it } from "vitest"
import { MAX_HEIGHT, scrolledHeight, scrollTo, scrollToRow, visibleRows, type ListSize } from "./row-window.ts"

const START = { position: 0, scrollTop: 0 }
const MILLION: ListSize = { rows: 1_000_000, rowHeight: 36, viewHeight: 720 }
const SMALL: ListSize = { rows: 100, rowHeight: 36, viewHeight: 720 }

describe("the window of rows", () => {
  it("a list that fits the height limit scrolls pixel by pixel", () => {
    const after = scrollTo(START, 361, SMALL)
    expect(after.position).toBe(361)
    expect(visibleRows(after, SMALL)).toEqual({ start: 10, end: 31 })
  })

  it("a list of a million rows stays below the height that browsers allow", () => {
    expect(scrolledHeight(MILLION)).toBe(MAX_HEIGHT)
    expect(scrolledHeight(SMALL)).toBe(3600)
  })

  it("a small step in a list of a million rows moves by the same number of pixels", () => {
    const middle = scrollTo(START, 7_500_000, MILLION)
    expect(scrollTo(middle, 7_500_100, MILLION).position).toBe(middle.position + 100)
  })

  it("the end of the scroll bar shows the last row", () => {
    const { end } = visibleRows(scrollTo(START, MAX_HEIGHT - MILLION.viewHeight, MILLION), MILLION)
    expect(end).toBe(1_000_000)
  })

  it("steps back to the start of the scroll bar show the first row", () => {
    const far = scrollTo(START, 3000, MILLION)
    expect(scrollTo(far, 0, MILLION).position).toBe(0)
  })

  it.each([0, 10, 500_000, 899_999, 999_999])("row %d is visible after it is moved into view", (index) => {
    const after = scrollToRow(START, index, MILLION)
    const { start, end } = visibleRows(after, MILLION)
    expect(start).toBeLessThanOrEqual(index)
    expect(end).toBeGreaterThan(index)
    expect(after.scrollTop).toBeLessThanOrEqual(MAX_HEIGHT - MILLION.viewHeight)
  })

  it("a row that is visible does not move", () => {
    expect(scrollToRow(START, 5, MILLION)).toBe(START)
  })
})
