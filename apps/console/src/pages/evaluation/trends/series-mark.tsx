import type { ReactElement } from "react"
import { seriesMark } from "./series-look.ts"

const SIZE = 4

/** Draws the mark of a series at a point. */
export function SeriesMark({
  at,
  x,
  y,
}: {
  readonly at: number
  readonly x: number
  readonly y: number
}): ReactElement {
  const mark = seriesMark(at)
  if (mark === "circle") return <circle cx={x} cy={y} r={SIZE} />
  if (mark === "square") return <rect x={x - SIZE} y={y - SIZE} width={2 * SIZE} height={2 * SIZE} />
  return <path d={`M${x - SIZE - 1} ${y + SIZE}h${2 * SIZE + 2}l${-SIZE - 1} ${-2 * SIZE}z`} />
}
