import { formatCount, formatCsv, formatInteger } from "@assay/reports"
import type { ReactElement, ReactNode } from "react"
import { CopyButton } from "../components/copy-button.tsx"
import { Menu } from "../components/menu.tsx"
import type { Column } from "./column.ts"
import type { RowSource } from "./row-source.ts"

export interface TableToolsProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  readonly rows: RowSource<Row>
  /** Given the ids of hidden columns, separated by commas; undefined if all are shown. */
  readonly onHide: (hide: string | undefined) => void
  /** What one row and several rows are called. */
  readonly counted: readonly [string, string]
  /** Whether more rows may follow. */
  readonly isGrowing: boolean
  readonly children: ReactNode
}

/** Maximum number of rows that are copied at once. */
const MAX_COPIED = 1000

/** Renders what is done with a whole table: its filter, how many rows it has, which columns are shown, and copies. */
export function TableTools<Row>({
  label,
  columns,
  hidden,
  rows,
  onHide,
  counted,
  isGrowing,
  children,
}: TableToolsProps<Row>): ReactElement {
  const shown = columns.filter(({ id }) => !hidden.has(id))
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    onHide(next.size === 0 ? undefined : [...next].join(","))
  }
  const cells = async () => {
    const held = await rows.read(0, Math.min(rows.total, MAX_COPIED))
    return held.map((row) => shown.map((column) => column.text(row)))
  }
  const limit = rows.total > MAX_COPIED ? ` (first ${formatInteger(MAX_COPIED)})` : ""
  return (
    <div className="tools">
      {children}
      <span className="gap" />
      <span className="soft count" aria-live="polite">
        {rows.isLoading ? "" : `${formatCount(rows.total, ...counted)}${isGrowing ? " so far" : ""}`}
      </span>
      <Menu label="Columns">
        {columns.map(({ id, title }) => (
          <label key={id} className="choice">
            <input
              type="checkbox"
              checked={!hidden.has(id)}
              disabled={!hidden.has(id) && shown.length === 1}
              onChange={() => toggle(id)}
            />
            {title}
          </label>
        ))}
      </Menu>
      <Menu label="Copy">
        <CopyButton
          what={label}
          label={`As CSV${limit}`}
          text={async () => formatCsv([shown.map(({ title }) => title), ...(await cells())])}
        />
        <CopyButton
          what={label}
          label={`As JSON${limit}`}
          text={async () => {
            const records = (await cells()).map((values) =>
              Object.fromEntries(shown.map(({ id }, place) => [id, values[place]])),
            )
            return JSON.stringify(records, null, 2)
          }}
        />
      </Menu>
    </div>
  )
}
