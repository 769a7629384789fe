import type { ReactElement } from "react"
import { LINE_HEIGHT } from "./edit-text.ts"

/** Something that is wrong with a line. */
export interface LineFault {
  /** Counts from 1. */
  readonly line: number
  readonly text: string
  /** False: it is only worth a look. Default true. */
  readonly isFault?: boolean
}

export interface FaultLinesProps {
  readonly faults: readonly LineFault[]
  readonly lines: readonly string[]
}

/** Maximum number of characters of a fault beside its line. The list below the editor has the whole text. */
const MAX_SHOWN = 160
/** Maximum number of lines with a mark. */
const MAX_LINES = 100

/** Renders the marks of lines with faults, each with the first fault of the line after its text. */
export function FaultLines({ faults, lines }: FaultLinesProps): ReactElement {
  const first = [...new Map(faults.toReversed().map((fault) => [fault.line, fault])).values()].slice(0, MAX_LINES)
  return (
    <div className="fault-lines" aria-hidden="true">
      {first.map(({ line, text, isFault = true }) => (
        <div key={line} className={isFault ? "FAIL" : "INCONCLUSIVE"} style={{ top: `${(line - 1) * LINE_HEIGHT}px` }}>
          <span style={{ left: `${(lines[line - 1]?.length ?? 0) + 2}ch` }}>{text.slice(0, MAX_SHOWN)}</span>
        </div>
      ))}
    </div>
  )
}
