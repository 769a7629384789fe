import { formatShare } from "@assay/reports"
import type { CalibrationReport, CalibrationRoc } from "@assay/schemas"
import { useId, useState, type ReactElement } from "react"
import { RocCurve } from "../../../plots/roc-curve.tsx"

/** Renders what judges with scores would do at other thresholds. */
export function Thresholds({ judges }: Pick<CalibrationReport, "judges">): ReactElement | null {
  const scored = judges.flatMap(({ name, roc }) => (roc === null || roc.points.length === 0 ? [] : [{ name, roc }]))
  if (scored.length === 0) return null
  return (
    <section aria-label="Other thresholds">
      <h2>At other thresholds</h2>
      <div className="columns">
        {scored.map(({ name, roc }) => (
          <Threshold key={name} name={name} roc={roc} />
        ))}
      </div>
    </section>
  )
}

function Threshold({ name, roc }: { readonly name: string; readonly roc: CalibrationRoc }): ReactElement {
  const id = useId()
  const last = roc.points.length - 1
  const [index, setIndex] = useState(Math.floor(last / 2))
  const point = roc.points[index]
  return (
    <article className="card threshold" aria-label={name}>
      <h3 dir="auto">{name}</h3>
      <p className="soft">
        AUC {roc.auc.toFixed(3)}, over{" "}
        {roc.source === "votes" ? "the share of repeats that block" : "the judge’s score"}
      </p>
      <RocCurve name={name} points={roc.points} marked={point} />
      <label htmlFor={id}>Block from</label>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        value={index}
        aria-valuetext={point === undefined ? undefined : thresholdText(point.threshold)}
        onChange={({ target }) => setIndex(Number(target.value))}
      />
      {point === undefined ? null : (
        <p role="status">
          <b>{thresholdText(point.threshold)}</b>: {formatShare(point.false_block)} of safe prompts are blocked,{" "}
          {formatShare(1 - point.recall)} of unsafe prompts are missed.
        </p>
      )}
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">At most blocked</th>
              <th scope="col">Caught</th>
              <th scope="col">Block from</th>
            </tr>
          </thead>
          <tbody>
            {roc.operating_points.map(({ false_block, recall, threshold }) => (
              <tr key={false_block}>
                <td>{formatShare(false_block)}</td>
                <td>{formatShare(recall)}</td>
                <td>{thresholdText(threshold)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </article>
  )
}

function thresholdText(threshold: number | null): string {
  return threshold === null ? "nothing" : threshold.toPrecision(3)
}
