import { formatInteger } from "@assay/reports"
import type { ReactElement } from "react"
import type { Flip, FlipCounts } from "./flips.ts"

export interface FlipTableProps {
  readonly counts: FlipCounts
  readonly chosen: Flip | undefined
  readonly onChoose: (flip: Flip | undefined) => void
}

/** Shows how many rows became better and worse. A cell filters the rows below; pressed again, it shows all of them. */
export function FlipTable({ counts, chosen, onChoose }: FlipTableProps): ReactElement {
  const cell = (flip: Flip, label: string) => (
    <FlipCell
      flip={flip}
      label={label}
      count={counts[flip] ?? 0}
      isChosen={chosen === flip}
      onPress={() => onChoose(chosen === flip ? undefined : flip)}
    />
  )
  if (counts.right === undefined) {
    return (
      <div className="flip-row" role="group" aria-label="Rows by their change">
        {cell("worse", "worse")}
        {cell("same", "same")}
        {cell("better", "better")}
      </div>
    )
  }
  return (
    <table className="flip-table" aria-label="Rows by their change">
      <thead>
        <tr>
          <td />
          <th scope="col">Job right</th>
          <th scope="col">Job wrong</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Baseline right</th>
          <td>{cell("right", "right in both")}</td>
          <td>{cell("worse", "became wrong")}</td>
        </tr>
        <tr>
          <th scope="row">Baseline wrong</th>
          <td>{cell("better", "became right")}</td>
          <td>{cell("wrong", "wrong in both")}</td>
        </tr>
      </tbody>
    </table>
  )
}

interface FlipCellProps {
  readonly flip: Flip
  readonly label: string
  readonly count: number
  readonly isChosen: boolean
  readonly onPress: () => void
}

function FlipCell({ flip, label, count, isChosen, onPress }: FlipCellProps): ReactElement {
  return (
    <button type="button" className={`flip ${flip}`} aria-pressed={isChosen} onClick={onPress}>
      <b>{formatInteger(count)}</b> <span>{label}</span>
    </button>
  )
}
