import type { RowWithIssues } from "@assay/schemas"
import type { ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"

/** Shows one row whole, with its issues first. */
export function RowDetail({
  row,
  onClose,
}: {
  readonly row: RowWithIssues
  readonly onClose: () => void
}): ReactElement {
  const { row_index, line, issues } = row
  return (
    <aside className="card attempts" aria-label={`Row ${row_index}`}>
      <header className="actions">
        <h2>Row {row_index}</h2>
        <span className="soft">{line === null ? "" : `line ${line}`}</span>
        <span className="gap" />
        <button type="button" className="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      {issues.length === 0 ? null : (
        <ul className="faults">
          {issues.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer === "" ? "row" : pointer}</code> <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <CodeBlock label={`row ${row_index} as JSON`} text={JSON.stringify(row.row, null, 2)} />
    </aside>
  )
}
