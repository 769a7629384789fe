import { formatInteger, formatScore } from "@assay/reports"
import type { ChangedRow, Comparison } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import { useMemo, type ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { diffWords, type TextPart } from "./diff-words.ts"

/** Shows the rows that changed most, with both answers side by side and what differs between them. */
export function ChangedRows({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { changed_rows: rows, changed_rows_total: total, jobs } = comparison
  if (rows.length === 0) return <EmptyState title="No row changed" />
  return (
    <section aria-label="Rows that changed">
      <h2>Rows that changed</h2>
      <p className="soft">
        {rows.length < total
          ? `The ${rows.length} of ${formatInteger(total)} that changed most, worse ones first. `
          : ""}
        <Link to="/jobs/$id" params={{ id: jobs.at(-1)?.id ?? "" }} search={{ tab: "rows" }}>
          All rows
        </Link>
      </p>
      {rows.map((row) => (
        <ChangedRowCard key={`${row.job} ${row.task} ${row.row_index} ${row.repeat}`} row={row} />
      ))}
    </section>
  )
}

function ChangedRowCard({ row }: { readonly row: ChangedRow }): ReactElement {
  const { task, row_index, change, item, answers, scores } = row
  const [before, after] = [answers[0] ?? "", answers[1] ?? ""]
  const parts = useMemo(() => diffWords(before, after), [before, after])
  return (
    <article className="card changed">
      <header className="actions">
        <h3>
          Row {row_index} <span className="soft">{task}</span>
        </h3>
        <Badge text={change} tone={change === "better" ? "PASS" : "FAIL"} />
        <span className="soft">
          {scores
            .map(({ metric, baseline, value }) => `${metric} ${formatScore(baseline)} → ${formatScore(value)}`)
            .join(", ")}
        </span>
      </header>
      <p className="soft item" dir="auto">
        {item}
      </p>
      <div className="sides">
        <Side label="Baseline" parts={parts.filter(({ kind }) => kind !== "added")} />
        <Side label="Job" parts={parts.filter(({ kind }) => kind !== "removed")} />
      </div>
    </article>
  )
}

function Side({ label, parts }: { readonly label: string; readonly parts: readonly TextPart[] }): ReactElement {
  return (
    <div>
      <h4>{label}</h4>
      <p className="text" dir="auto">
        {parts.length === 0 ? <span className="soft">no answer</span> : null}
        {parts.map(({ kind, text }, place) => {
          const key = `${place} ${kind}`
          if (kind === "removed") return <del key={key}>{text}</del>
          if (kind === "added") return <ins key={key}>{text}</ins>
          return <span key={key}>{text}</span>
        })}
      </p>
    </div>
  )
}
