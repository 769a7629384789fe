import type { ReactElement } from "react"
import { pinnedColumns, tracksOf, type Column } from "./column.ts"
import type { RowSource } from "./row-source.ts"
import { cellClass } from "./table-head.tsx"
import type { WindowedRows } from "./use-row-window.ts"

export interface VisibleRowsProps<Row> {
  /** The id of the table. Those of the rows begin with it. */
  readonly id: string
  readonly shown: readonly Column<Row>[]
  readonly rows: RowSource<Row>
  readonly view: WindowedRows
  /** The chosen row, or -1. */
  readonly at: number
  readonly headHeight: number
  readonly rowHeight: number
  readonly rowKey?: (row: Row) => string
  readonly rowClass?: (row: Row) => string | undefined
  /** Absent if rows can't be opened. */
  readonly onOpen?: (row: Row, index: number) => void
  /** Called with the index of the row, unless a control inside it was clicked. */
  readonly onClick: (index: number) => void
}

/** Renders the rows that are visible, and a space as high as the others. */
export function VisibleRows<Row>(props: VisibleRowsProps<Row>): ReactElement {
  const { rows, view, headHeight, rowHeight, rowKey } = props
  const { height, start, end, cut } = view
  const drawnHeight = Math.min(height, (end - start) * rowHeight - cut)
  return (
    <>
      <div className="rows" role="rowgroup" style={{ top: headHeight, height: drawnHeight }}>
        {Array.from({ length: end - start }, (_, offset) => {
          const index = start + offset
          const row = rows.get(index)
          return (
            <TableRow
              key={row === undefined || rowKey === undefined ? index : rowKey(row)}
              {...props}
              row={row}
              index={index}
              top={offset * rowHeight - cut}
            />
          )
        })}
      </div>
      <div className="height" style={{ height: Math.max(0, height - drawnHeight) }} />
    </>
  )
}

interface TableRowProps<Row> extends VisibleRowsProps<Row> {
  /** Undefined until it was read. */
  readonly row: Row | undefined
  readonly index: number
  /** Pixels from the upper edge of the rows. */
  readonly top: number
}

function TableRow<Row>(props: TableRowProps<Row>): ReactElement {
  const { id, shown, at, rowHeight, rowClass, onOpen, onClick, row, index, top } = props
  const pinned = pinnedColumns(shown)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the focus and handles the keys
    <div
      id={`${id}-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={index === at}
      className={row === undefined ? "row" : `row ${rowClass?.(row) ?? ""}`}
      data-opens={onOpen === undefined ? undefined : ""}
      style={{ gridTemplateColumns: tracksOf(shown), height: rowHeight, transform: `translateY(${top}px)` }}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("a, button, input, summary") !== null) return
        onClick(index)
      }}
    >
      {shown.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={cellClass(column, pinned)}
          style={{ left: pinned.get(column.id) }}
          dir="auto"
        >
          {row === undefined ? <span className="pending">…</span> : column.render(row, index)}
        </div>
      ))}
    </div>
  )
}
