import type { ComparedRow } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef, type ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"
import { Folded } from "../../../components/folded.tsx"
import { ItemFields } from "../rows/item-fields.tsx"
import "../rows/row-panel.css"
import { asksTheSame } from "./compared-row.ts"
import { ComparedAnswers, type ComparedAnswersProps } from "./compared-answers.tsx"

export interface ComparedRowPanelProps extends ComparedAnswersProps {
  readonly onStep: (step: 1 | -1) => void
  readonly onClose: () => void
}

/** Shows both answers to a row side by side, and what they answer. */
export function ComparedRowPanel({ row, jobs, others, onStep, onClose }: ComparedRowPanelProps): ReactElement {
  const { task, row_index: index, repeat, a, b } = row
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // The next row is read from its beginning.
    panel.current?.scrollTo(0, 0)
  }, [task, index, repeat])
  return (
    <aside className="card attempts row-panel changed" aria-label={`Row ${index}`} ref={panel}>
      <header className="actions">
        <h2>Row {index}</h2>
        <span className="soft">
          {task}
          {repeat === 0 ? "" : `, repeat ${repeat}`}
        </span>
        <span className="gap" />
        <button type="button" className="quiet" title="Previous row (k)" onClick={() => onStep(-1)}>
          <span aria-hidden="true">↑</span>
          <span className="unseen">Previous row</span>
        </button>
        <button type="button" className="quiet" title="Next row (j)" onClick={() => onStep(1)}>
          <span aria-hidden="true">↓</span>
          <span className="unseen">Next row</span>
        </button>
        <Link
          to="/jobs/$id"
          params={{ id: jobs[1] }}
          search={{ tab: "rows", task, row: index }}
          className="button quiet"
        >
          In the job
        </Link>
        <button type="button" className="quiet" title="Close (Escape)" onClick={onClose}>
          Close
        </button>
      </header>
      <ComparedAnswers row={row} jobs={jobs} others={others} />
      {asksTheSame(row) ? null : (
        <>
          <h3>Item of the baseline</h3>
          <CodeBlock label={`item of row ${index} of the baseline`} text={JSON.stringify(a.item, null, 2)} />
        </>
      )}
      <ItemOfRow item={b.item} index={index} />
    </aside>
  )
}

interface ItemOfRowProps {
  readonly item: ComparedRow["b"]["item"]
  readonly index: number
}

function ItemOfRow({ item, index }: ItemOfRowProps): ReactElement {
  return (
    <>
      <h3>Item</h3>
      <ItemFields fields={Object.entries(item)} />
      <Folded title="Item as JSON">
        {() => <CodeBlock label={`item of row ${index}`} text={JSON.stringify(item, null, 2)} />}
      </Folded>
    </>
  )
}
