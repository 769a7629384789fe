import { formatScore } from "@assay/reports"
import type { ComparedRow } from "@assay/schemas"
import { useMemo, type ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"
import { TextParts } from "../../../texts/text-parts.tsx"
import { asksTheSame, outputText } from "./compared-row.ts"
import { diffWords, type TextPart } from "../../../texts/diff-words.ts"

/** Shows both answers to a row side by side, and what differs between them. */
export function ComparedRowPanel({ row }: { readonly row: ComparedRow }): ReactElement {
  const { task, row_index: index, repeat, a, b } = row
  const parts = useMemo(() => diffWords(outputText(a), outputText(b)), [a, b])
  return (
    <aside className="card attempts changed" aria-label={`Row ${index}`}>
      <header className="actions">
        <h2>Row {index}</h2>
        <span className="soft">
          {task}
          {repeat === 0 ? "" : `, repeat ${repeat}`}
        </span>
      </header>
      <div className="sides">
        <Side label="Baseline" score={a.score} parts={parts.filter(({ kind }) => kind !== "added")} />
        <Side label="Job" score={b.score} parts={parts.filter(({ kind }) => kind !== "removed")} />
      </div>
      {asksTheSame(row) ? null : (
        <>
          <h3>Item of the baseline</h3>
          <CodeBlock label={`item of row ${index} of the baseline`} text={JSON.stringify(a.item, null, 2)} />
        </>
      )}
      <h3>Item</h3>
      <CodeBlock label={`item of row ${index}`} text={JSON.stringify(b.item, null, 2)} />
    </aside>
  )
}

interface SideProps {
  readonly label: string
  readonly score: number | null
  readonly parts: readonly TextPart[]
}

function Side({ label, score, parts }: SideProps): ReactElement {
  return (
    <div>
      <h4>
        {label} {formatScore(score)}
      </h4>
      {parts.length === 0 ? <p className="soft">no answer</p> : <TextParts parts={parts} />}
    </div>
  )
}
