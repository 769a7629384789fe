import type { ScoredRow } from "@assay/schemas"
import type { Column } from "../../../table/column.ts"
import { cellText } from "../../data/rows/cell-text.ts"
import { formatWithUnit } from "../jobs/score-unit.ts"
import { isOfTurn } from "./failing-rows.ts"
import {
  INDEX,
  isUsageLimit,
  OUTPUT,
  type RowColumnOptions,
  splitScore,
  titleOfScore,
  verdictColumn,
} from "./scored-row-columns.tsx"

/** Three lines, in pixels. */
export const NARROW_ROW_HEIGHT = 84
/** Scores of a row that a phone has room for. */
const MAX_SCORES = 3

/** Returns the one column of a narrow page: the verdict and the first scores of a row, a field of its item, and the answer. */
export function narrowRowColumns(options: RowColumnOptions): readonly Column<ScoredRow>[] {
  const { scores, fields, limits, unitOf } = options
  const shown = scores.filter((name) => !isUsageLimit(name) && !isOfTurn(splitScore(name)[0])).slice(0, MAX_SCORES)
  const verdict = verdictColumn(limits)
  // The longest field says more about a row than its id.
  const [field] = fields.filter(({ isShown }) => isShown).toSorted((a, b) => b.length - a.length)
  return [
    {
      id: "row",
      title: "Row",
      width: "minmax(12rem, 1fr)",
      sortBy: "index",
      render: (row, index) => (
        <div className="narrow-scored-row">
          <span className="cut">
            <b>{INDEX.render(row, index)}</b> {verdict.render(row, index)}{" "}
            {shown.map((name) => (
              <span key={name} className="narrow-score">
                <span className="soft">{titleOfScore(name, scores)}</span> {scoreText(row, name, unitOf)}
              </span>
            ))}
          </span>
          {field === undefined ? null : <span className="cut">{cellText(row.item[field.name])}</span>}
          <span className="cut soft">{OUTPUT.render(row, index)}</span>
        </div>
      ),
      text: ({ row_index }) => row_index,
    },
  ]
}

function scoreText({ scores }: ScoredRow, name: string, unitOf: RowColumnOptions["unitOf"]): string {
  const [metric, score] = splitScore(name)
  return formatWithUnit(scores[metric]?.[score], unitOf(metric))
}
