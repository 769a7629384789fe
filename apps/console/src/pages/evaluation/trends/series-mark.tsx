import type { ReactElement } from "react"

const COLOURS = 6
const SHAPES = 3
const SIZE = 4

/** Returns the class of a series: 6 colours, then the same ones with other marks and dashed lines. */
export function seriesClass(at: number): string {
  return `series colour-${at % COLOURS}${at < COLOURS ? "" : " dashed"}`
}

/** Draws the mark of a series: circles for the first 6, then squares, then triangles. */
export function SeriesMark({
  at,
  x,
  y,
}: {
  readonly at: number
  readonly x: number
  readonly y: number
}): ReactElement {
  const shape = Math.floor(at / COLOURS) % SHAPES
  if (shape === 0) return <circle cx={x} cy={y} r={SIZE} />
  if (shape === 1) return <rect x={x - SIZE} y={y - SIZE} width={2 * SIZE} height={2 * SIZE} />
  return <path d={`M${x - SIZE - 1} ${y + SIZE}h${2 * SIZE + 2}l${-SIZE - 1} ${-2 * SIZE}z`} />
}
