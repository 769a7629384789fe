import { formatCount, formatCsv, formatInteger } from "@assay/reports"
import type { ReactElement, ReactNode } from "react"
import { CopyButton } from "../components/copy-button.tsx"
import { CheckField } from "../components/fields/check-field.tsx"
import { Menu } from "../components/menu.tsx"
import type { Column } from "./column.ts"
import { useDensity } from "./density.ts"
import type { RowSource } from "./row-source.ts"

export interface TableToolsProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  readonly rows: RowSource<Row>
  /** Given the ids of all hidden columns. */
  readonly onHide: (hidden: ReadonlySet<string>) => void
  /** The words for one row and for several rows. */
  readonly counted: readonly [string, string]
  /** Whether more rows may follow. */
  readonly isGrowing: boolean
  readonly children: ReactNode
}

/** Maximum number of rows that are copied at once. */
const MAX_COPIED = 1000

/** Renders what is done with a whole table: its filter, how many rows it has, which columns are shown, and copies. */
export function TableTools<Row>(props: TableToolsProps<Row>): ReactElement {
  const { rows, counted, isGrowing, children } = props
  const isEmpty = rows.total === 0 && !rows.isLoading
  return (
    <div className="tools">
      {children}
      <span className="gap" />
      <div className="actions">
        <span className="soft" aria-live="polite">
          {rows.isLoading ? "" : `${formatCount(rows.total, ...counted)}${isGrowing ? " so far" : ""}`}
        </span>
        {isEmpty ? null : (
          <>
            <ColumnMenu {...props} />
            <CopyMenu {...props} />
          </>
        )}
      </div>
    </div>
  )
}

/** Renders the menu that shows and hides columns, and chooses how much room rows have. The last column can't be hidden. */
function ColumnMenu<Row>({ columns, hidden, onHide }: TableToolsProps<Row>): ReactElement {
  const [density, chooseDensity] = useDensity()
  const shownCount = columns.filter(({ id }) => !hidden.has(id)).length
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    onHide(next)
  }
  return (
    <Menu label="Columns">
      {columns.map(({ id, title }) => (
        <CheckField
          key={id}
          isChecked={!hidden.has(id)}
          isDisabled={!hidden.has(id) && shownCount === 1}
          onChange={() => toggle(id)}
        >
          {title}
        </CheckField>
      ))}
      <hr />
      <CheckField
        isChecked={density === "compact"}
        onChange={(isCompact) => chooseDensity(isCompact ? "compact" : "comfortable")}
      >
        Compact rows, in all tables
      </CheckField>
    </Menu>
  )
}

/** Renders the menu that copies the shown columns of the first rows. */
function CopyMenu<Row>({ label, columns, hidden, rows }: TableToolsProps<Row>): ReactElement {
  const shown = columns.filter(({ id }) => !hidden.has(id))
  const cells = async () => {
    const held = await rows.read(0, Math.min(rows.total, MAX_COPIED))
    return held.map((row) => shown.map((column) => column.text(row)))
  }
  const limit = rows.total > MAX_COPIED ? ` (first ${formatInteger(MAX_COPIED)})` : ""
  return (
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
            Object.fromEntries(shown.map(({ id }, index) => [id, values[index]])),
          )
          return JSON.stringify(records, null, 2)
        }}
      />
    </Menu>
  )
}
