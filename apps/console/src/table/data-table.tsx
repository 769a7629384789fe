import { useEffect, useId, useRef, type ReactElement, type ReactNode } from "react"
import { ErrorCard } from "../components/failures/error-card.tsx"
import { Loading } from "../components/loading.tsx"
import { useIsNarrow } from "../components/use-is-narrow.ts"
import { hiddenColumns, hideChoice, leastWidth, tracksOf, type Column } from "./column.ts"
import { rowHeightOf, useDensity } from "./density.ts"
import { NARROW_ROW_HEIGHT, narrowColumn } from "./narrow-column.tsx"
import type { RowSource } from "./row-source.ts"
import "./table.css"
import { TableHead } from "./table-head.tsx"
import { TableTools } from "./table-tools.tsx"
import type { TableSearch } from "./table-search.ts"
import { scrollPageTo, useFittedHeight } from "../components/use-fitted-height.ts"
import { useRowWindow, type WindowedRows } from "./use-row-window.ts"
import { useTableKeys } from "./use-table-keys.ts"
import { VisibleRows } from "./visible-rows.tsx"

export interface DataTableProps<Row> {
  /** Names the table for those who hear it. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: RowSource<Row>
  readonly search: TableSearch
  readonly onSearch: (change: TableSearch) => void
  /** Called for enter and for a click. Default: rows can't be opened. */
  readonly onOpen?: (row: Row, index: number) => void
  /** Further keys, by their `event.key`. */
  readonly keys?: Readonly<Record<string, (row: Row | undefined, index: number) => void>>
  /** The words for one row and for several rows. Default: row, rows. */
  readonly counted?: readonly [string, string]
  /** Whether more rows may follow. Default false. */
  readonly isGrowing?: boolean
  /** Stands left of the tools: a filter, a count. */
  readonly filter?: ReactNode
  /** Shown if there are no rows. */
  readonly empty: ReactNode
  /** Of a comfortable row, in pixels. Default 36. */
  readonly rowHeight?: number
  /** Additional height of the head in pixels, for contents below the titles. Default 0. */
  readonly belowHeight?: number
  /**
   * Returns the identity of a row, whatever its position. Needed if cells hold a state, such as an open question: the state then stays
   * with its row while the list changes. Default: its position.
   */
  readonly rowKey?: (row: Row) => string
  /** The class of a row. */
  readonly rowClass?: (row: Row) => string | undefined
}

const HEAD_HEIGHT = 34
/** The bar at the top of the window, in pixels. */
const BAR_HEIGHT = 48
const ROWS = ["row", "rows"] as const

/** Renders rows as a table of which only the visible part exists, with sorting, hidden columns, copies and keys. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { label, columns, rows, search, onSearch, filter, empty } = props
  const hidden = hiddenColumns(columns, search.hide)
  const shown = columns.filter((column) => !hidden.has(column.id))
  const isNarrow = useIsNarrow()
  const narrow = isNarrow ? narrowColumn(shown, search.sort) : undefined
  return (
    <section className="table" aria-label={label}>
      <TableTools
        label={label}
        columns={columns}
        hidden={hidden}
        rows={rows}
        counted={props.counted ?? ROWS}
        isGrowing={props.isGrowing ?? false}
        onHide={(next) => onSearch({ hide: hideChoice(columns, next) })}
      >
        {filter}
      </TableTools>
      {rows.error === undefined ? null : <ErrorCard error={rows.error} />}
      {rows.isLoading ? <Loading /> : null}
      {rows.total === 0 && !rows.isLoading && rows.error === undefined ? empty : null}
      {narrow === undefined ? (
        <TableGrid {...props} shown={shown} />
      ) : (
        <TableGrid {...props} shown={[narrow]} rowHeight={NARROW_ROW_HEIGHT} />
      )}
    </section>
  )
}

interface TableGridProps<Row> extends DataTableProps<Row> {
  /** The columns that are not hidden. */
  readonly shown: readonly Column<Row>[]
}

/** Renders the head and the visible rows, and moves through them by keys. */
function TableGrid<Row>(props: TableGridProps<Row>): ReactElement {
  const { label, shown, rows, search, onSearch, belowHeight = 0 } = props
  const [density] = useDensity()
  const rowHeight = rowHeightOf(props.rowHeight ?? 36, density)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const headHeight = HEAD_HEIGHT + belowHeight
  const view = useRowWindow(box, { rows: rows.total, rowHeight, headHeight })
  const at = Math.min(search.at ?? -1, rows.total - 1)
  useFittedHeight(box)
  useShownRows(rows, view, at)
  const seen = useRef(at)
  useEffect(() => {
    // A link to a row shows the page from its top.
    if (at >= 0 && at !== seen.current) scrollPageTo(document.getElementById(`${id}-${at}`), BAR_HEIGHT + headHeight)
    seen.current = at
  }, [id, at, headHeight])
  const { choose, open, onKeyDown } = useChosenRow(props, at, view.fits)
  return (
    <div
      ref={box}
      className="grid"
      data-density={density}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.total + 1}
      aria-colcount={shown.length}
      aria-activedescendant={at >= view.start && at < view.end ? `${id}-${at}` : undefined}
      tabIndex={0}
      // While other rows are loaded, a table with the focus keeps it: a hidden one would lose it.
      hidden={rows.total === 0 && !(rows.isLoading && document.activeElement === box.current)}
      onKeyDown={onKeyDown}
    >
      <div className="width" style={{ minWidth: leastWidth(shown) }}>
        <TableHead
          columns={shown}
          sort={search.sort}
          height={headHeight}
          tracks={tracksOf(shown)}
          onSort={(sort) => onSearch({ sort, at: undefined })}
        />
        <VisibleRows
          {...props}
          id={id}
          view={view}
          at={at}
          headHeight={headHeight}
          rowHeight={rowHeight}
          onClick={(index) => {
            choose(index)
            open(index)
          }}
        />
      </div>
    </div>
  )
}

/** Reads the rows that are visible, and scrolls to the chosen row. */
function useShownRows<Row>({ show }: RowSource<Row>, { start, end, fits, moveTo }: WindowedRows, at: number): void {
  useEffect(() => show(start, Math.max(start + 1, end)), [show, start, end])
  // Also when it turns out that fewer rows fit: the height is known only after the first drawing.
  useEffect(() => {
    if (at >= 0) moveTo(at)
  }, [at, fits, moveTo])
}

/** Returns what chooses and opens rows, also by keys. */
function useChosenRow<Row>({ rows, keys, onOpen, onSearch }: DataTableProps<Row>, at: number, fits: number) {
  // Keys can come faster than the address follows.
  const latest = useRef(at)
  /** The last choice, until the address has it: those before it come later than the key that made it. */
  const pending = useRef<number>(undefined)
  useEffect(() => {
    if (pending.current !== undefined && pending.current !== at) return
    pending.current = undefined
    latest.current = at
  }, [at])
  const choose = (index: number) => {
    latest.current = index
    pending.current = index === at ? undefined : index
    onSearch({ at: index })
  }
  const open = (index: number) => {
    const row = rows.get(index)
    if (row !== undefined) onOpen?.(row, index)
  }
  const onKeyDown = useTableKeys({
    total: rows.total,
    chosen: () => latest.current,
    fits,
    choose,
    open,
    other: (key) => {
      const act = keys?.[key]
      act?.(rows.get(latest.current), latest.current)
      return act !== undefined
    },
  })
  return { choose, open, onKeyDown }
}
