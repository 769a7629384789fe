import type { CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { Comparisons } from "./comparisons.tsx"
import { Figures } from "./figures.tsx"
import { recommendedJudge } from "./fit-judge.ts"
import { CalibrationConditions, Gates } from "./gates.tsx"
import { Groups } from "./groups.tsx"
import { Mistakes } from "./mistakes.tsx"
import { Rates } from "./rates.tsx"
import { Recommendation } from "./recommendation.tsx"
import { Thresholds } from "./thresholds.tsx"

/** Renders a calibration report: which judge to use, how often judges are wrong, where, and on which prompts. */
export function ReportView({ report }: { readonly report: CalibrationReport }): ReactElement {
  const { judges, gates, conditions, comparisons, agreement, notes } = report
  const [chosen = recommendedJudge(report) ?? undefined] = useSearchValue("judge")
  return (
    <>
      <Recommendation report={report} />
      <Rates report={report} chosen={chosen} />
      <Gates gates={gates} />
      <CalibrationConditions conditions={conditions} />
      <Thresholds judges={judges} />
      <Comparisons comparisons={comparisons} agreement={agreement ?? null} />
      <Groups title="By category" judges={judges} groupsOf={({ by_category }) => by_category} />
      <Groups title="By language" judges={judges} groupsOf={({ by_language }) => by_language} />
      <Figures judges={judges} />
      <Mistakes judges={judges} />
      {notes.length === 0 ? null : (
        <section aria-label="Keep in mind">
          <h2>Keep in mind</h2>
          <ul className="card notes">
            {notes.map((note) => (
              <li key={note} dir="auto">
                {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
