import { formatCount, formatScore } from "@assay/reports"
import { printable } from "@assay/schemas"
import { isObject } from "@assay/json"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { RichText } from "../../../texts/rich-text.tsx"
import type { TriedModel } from "./cells-of-file.ts"
import { keyOfTrial, type Trial, type Tries } from "./use-tries.ts"

/** Shows the answers of models side by side, with the scores of each row, and their means so far. */
export function TriesTable({ tries }: { readonly tries: Tries }): ReactElement {
  const { models, rows, found } = tries
  return (
    <div className="tries" tabIndex={0} role="region" aria-label="Answers">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {models.map((model) => (
              <th key={model.label} scope="col">
                <span dir="auto">{model.label}</span>
                <Means tries={tries} model={model} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.index}>
              <th scope="row">
                <small>row {row.index}</small>
                <ItemShown row={row.row} />
              </th>
              {models.map((model) => (
                <td key={model.label}>
                  <TrialShown trial={found.get(keyOfTrial(model, row))} isRunning={tries.isRunning} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows the mean of each score of a model over the rows so far, and how long it took. */
function Means({ tries, model }: { readonly tries: Tries; readonly model: TriedModel }): ReactElement {
  const done = tries.rows.flatMap((row) => tries.found.get(keyOfTrial(model, row)) ?? [])
  const scored = done.flatMap(({ row }) => (row === undefined ? [] : [row]))
  const names = [...new Set(scored.flatMap((row) => scoresOf(row.scores).map(([name]) => name)))]
  const times = scored.flatMap(({ latency_ms: ms }) => (ms === null ? [] : [ms]))
  const failed = done.length - scored.filter(({ error }) => error === null).length
  return (
    <small aria-live="polite">
      {formatCount(done.length, "row")}
      {names.map((name) => {
        const values = scored.flatMap((row) =>
          scoresOf(row.scores)
            .filter(([one]) => one === name)
            .map(([, value]) => value),
        )
        const known = values.filter((value) => Number.isFinite(value))
        return (
          <span key={name}>
            {" · "}
            {printable(name)}{" "}
            <b>{known.length === 0 ? "–" : formatScore(known.reduce((sum, one) => sum + one, 0) / known.length)}</b>
          </span>
        )
      })}
      {times.length === 0 ? null : ` · ${Math.round(times.reduce((sum, one) => sum + one, 0) / times.length)} ms`}
      {failed === 0 ? null : <span className="FAIL bad">{` · ${failed} failed`}</span>}
    </small>
  )
}

/** Returns the scores of a row, by metric, and by score if a metric has several. */
function scoresOf(
  scores: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): readonly (readonly [string, number])[] {
  return Object.entries(scores).flatMap(([metric, values]) => {
    const entries = Object.entries(values)
    return entries.map(
      ([score, value]) => [entries.length === 1 ? metric : `${metric}.${score}`, Number(value)] as const,
    )
  })
}

const MAX_FIELDS = 4
const MAX_TEXT = 300

function ItemShown({ row }: { readonly row: unknown }): ReactElement {
  const entries = isObject(row) ? Object.entries(row) : []
  return (
    <dl className="item">
      {entries.slice(0, MAX_FIELDS).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{valueText(value).slice(0, MAX_TEXT)}</dd>
        </div>
      ))}
      {entries.length > MAX_FIELDS ? <small>and {entries.length - MAX_FIELDS} more columns</small> : null}
    </dl>
  )
}

function TrialShown({
  trial,
  isRunning,
}: {
  readonly trial: Trial | undefined
  readonly isRunning: boolean
}): ReactElement {
  if (trial === undefined) return <span className="soft">{isRunning ? "…" : "not asked"}</span>
  const { row, error } = trial
  if (row === undefined || row.error !== null) {
    const message = row?.error?.message ?? error?.message ?? "There is no answer."
    return (
      <p className="FAIL bad" dir="auto">
        {message}
      </p>
    )
  }
  return (
    <>
      <p className="scores-of">
        {scoresOf(row.scores).map(([name, value]) => (
          <Badge
            key={name}
            text={`${name} ${Number.isFinite(value) ? formatScore(value) : "–"}`}
            tone={value === 1 ? "PASS" : value === 0 ? "FAIL" : "PLAIN"}
          />
        ))}
      </p>
      <RichText text={row.output ?? ""} label="the answer" />
    </>
  )
}
