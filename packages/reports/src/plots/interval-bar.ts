import { html, type Html } from "../html/html.ts"

/** Both ends of what an axis shows. */
export interface AxisRange {
  readonly from: number
  readonly to: number
}

/** Returns the x coordinate of a value. */
export type AxisPosition = (value: number) => string

/** Returns the function that positions values between the x coordinates `left` and `right`. Values outside the range are placed at its ends. */
export function positionOnAxis({ from, to }: AxisRange, left: number, right: number): AxisPosition {
  return (value) => {
    const share = from === to ? 0.5 : (value - from) / (to - from)
    return (left + Math.min(1, Math.max(0, share)) * (right - left)).toFixed(1)
  }
}

/** How much of its colour an interval has. It has a contrast of 3 to 1 with the card in light and dark, and the point on it is darker. */
export const INTERVAL_OPACITY = 0.75

/** Draws an interval as a bar at the height `y`. Returns null if there is none. */
export function intervalBar(
  interval: { readonly low: number; readonly high: number } | null,
  x: AxisPosition,
  { y, width }: { readonly y: number; readonly width: number },
): Html | null {
  return interval === null
    ? null
    : html`<line
        class="mean"
        x1="${x(interval.low)}"
        x2="${x(interval.high)}"
        y1="${y}"
        y2="${y}"
        stroke-width="${width}"
        stroke-opacity="${INTERVAL_OPACITY}"
      />`
}
