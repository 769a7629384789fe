const COLOURS = 6
const MARKS = ["circle", "square", "triangle"] as const

/** Returns the class of a series: 6 colours, then the same ones with dashed lines. */
export function seriesClass(at: number): string {
  return `series colour-${at % COLOURS}${at < COLOURS ? "" : " dashed"}`
}

/** Returns the mark of a series: circles for the first 6, then squares, then triangles. */
export function seriesMark(at: number): (typeof MARKS)[number] {
  return MARKS[Math.floor(at / COLOURS) % MARKS.length] ?? "circle"
}
