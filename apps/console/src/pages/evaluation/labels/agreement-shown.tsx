import { formatCount, formatInteger } from "@assay/reports"
import type { LabelReport } from "@assay/schemas"
import type { ReactElement } from "react"
import { formatEvenScore } from "../../../numbers/even-score.ts"

/** Shows how far people agree about the rows that several of them labelled. */
export function AgreementShown({ report }: { readonly report: LabelReport }): ReactElement {
  const { agreement = null, unsure = 0 } = report
  return (
    <>
      {unsure === 0 ? null : (
        <p>
          {formatCount(unsure, "row")} without a label because somebody was unsure. They are left out of the mean: if
          they are the hard ones, it is too good or too bad.
        </p>
      )}
      <h3>Agreement of people</h3>
      {agreement === null ? (
        <p className="soft">
          Nobody has labelled a row of somebody else yet. Let a second person choose “labelled by others” under another
          name.
        </p>
      ) : (
        <Measured {...agreement} />
      )}
    </>
  )
}

type Agreement = NonNullable<LabelReport["agreement"]>
type Interval = Agreement["alpha_interval"]

function Measured({ authors, rows, same, alpha, alpha_interval, kappa, kappa_interval }: Agreement): ReactElement {
  return (
    <>
      <p>
        {authors.map((author) => author ?? "without a name").join(", ")}: {formatInteger(same)} of{" "}
        {formatCount(rows, "row")} with equal labels.
      </p>
      <table>
        <tbody>
          <Row name="Krippendorff's alpha" value={alpha} interval={alpha_interval} />
          {authors.length === 2 ? <Row name="Cohen's kappa" value={kappa} interval={kappa_interval} /> : null}
        </tbody>
      </table>
      {alpha === null && kappa === null ? (
        <p className="soft">All labels are equal, so that chance alone would give the same agreement.</p>
      ) : null}
    </>
  )
}

interface RowProps {
  readonly name: string
  readonly value: number | null
  readonly interval: Interval
}

function Row({ name, value, interval }: RowProps): ReactElement {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="end">{value === null ? "–" : formatEvenScore(value)}</td>
      <td className="end">
        {interval === null ? "" : `${formatEvenScore(interval.low)} to ${formatEvenScore(interval.high)}`}
      </td>
    </tr>
  )
}
