import type { EvaluationJob } from "@assay/schemas"
import { useEffect, useEffectEvent, useMemo, useRef, type ReactElement } from "react"
import { Beside } from "../../../components/beside.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { useIsNarrow } from "../../../components/use-is-narrow.ts"
import { usePageKeys } from "../../../components/use-page-keys.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { unitOfMetric } from "../jobs/score-unit.ts"
import { failuresOf, findFailing, isWholeScore, MAX_LOOKED } from "./failing-rows.ts"
import { NARROW_ROW_HEIGHT, narrowRowColumns } from "./narrow-row-columns.tsx"
import { RowPanel, type RowAddress } from "./row-panel.tsx"
import "./rows-tab.css"
import { scoredRowColumns } from "./scored-row-columns.tsx"
import { ScoredRowFilters } from "./scored-row-filters.tsx"
import { useScoredRows, type ScoredRows } from "./use-scored-rows.ts"

/** Pixels of a window in which a list beside an open row has no room for all columns. */
const TIGHT = 1500

/** Shows the rows of a job with their scores, in any order, also while it runs. A row opens beside the table. */
export function RowsTab({ job }: { readonly job: EvaluationJob }): ReactElement {
  const [search] = useTableSearch()
  const scored = useScoredRows(job)
  const { rows, scores, fields, limits, sort, isFiltered } = scored
  const tasks = useMemo(() => Object.keys(job.config.tasks ?? {}), [job])
  const { chosen, move, close, update, nextFailing } = useChosenRow(scored)
  const isNarrow = useIsNarrow()
  const isTight = useIsNarrow(TIGHT) && chosen !== undefined
  const columns = useMemo(() => {
    const isWhole = (name: string) => isWholeScore(job.config, name)
    const unitOf = (metric: string) => unitOfMetric(job.config, metric)
    const options = { sort, isTight, scores, fields, limits, hasTasks: tasks.length > 1, isWhole, unitOf }
    return isNarrow ? narrowRowColumns(options) : scoredRowColumns(options)
  }, [scores, fields, limits, tasks, job, isNarrow, isTight, sort])
  usePageKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    n: () => void nextFailing(1),
    N: () => void nextFailing(-1),
    Escape: () => (chosen === undefined ? false : close()),
  })
  return (
    <Beside
      panel={
        chosen === undefined ? null : (
          <RowPanel
            job={job}
            row={chosen}
            limits={limits}
            onStep={move}
            onNextFailing={(step) => void nextFailing(step)}
            onClose={close}
          />
        )
      }
    >
      <DataTable
        label="Rows"
        columns={columns}
        rows={rows}
        search={{ ...search, sort }}
        onSearch={update}
        onOpen={(_row, index) => update({ at: index })}
        {...(isNarrow ? { rowHeight: NARROW_ROW_HEIGHT } : {})}
        rowClass={(row) => (failuresOf(row, limits).length > 0 ? "failing" : undefined)}
        filter={<ScoredRowFilters tasks={tasks} scores={scores} fields={fields} sort={isNarrow ? sort : undefined} />}
        empty={<EmptyState title={isFiltered ? "No row matches" : "No row has an answer yet"} />}
      />
      <p className="soft keys-help">
        <kbd>j</kbd> <kbd>k</kbd> next and previous row, <kbd>n</kbd> <kbd>N</kbd> next and previous failing row,{" "}
        <kbd>/</kbd> find, <kbd>Esc</kbd> close
      </p>
    </Beside>
  )
}

const NOT_LINKED = { row: undefined }

/** Returns the row that the address chooses, and what chooses another one. */
function useChosenRow({ rows, limits, isReady }: ScoredRows) {
  const notify = useNotify()
  const [search, updateTable] = useTableSearch()
  const [task] = useSearchValue("task")
  const [linked] = useSearchValue("row")
  const index = linked !== undefined && /^\d{1,15}$/u.test(linked) ? Number(linked) : undefined
  const listed = search.at === undefined ? undefined : rows.get(search.at)
  const chosen: RowAddress | undefined =
    listed === undefined
      ? index === undefined || task === undefined || search.at !== undefined
        ? undefined
        : { task, index, repeat: 0 }
      : { task: listed.task, index: listed.row_index, repeat: listed.repeat }
  // In the order of the dataset, a linked row is at the position of its number.
  const position = search.at ?? index ?? -1
  // Another choice replaces the linked row.
  const update: typeof updateTable = (change) => updateTable("at" in change ? { ...change, ...NOT_LINKED } : change)
  /** A step that somebody wants before the rows are there. */
  const wanted = useRef<1 | -1>(undefined)
  const nextFailing = async (step: 1 | -1) => {
    wanted.current = isReady ? undefined : step
    if (!isReady) return
    const found = await findFailing(rows, { start: position, step, limits })
    if (found !== undefined) return update({ at: found })
    const isLimited = step === 1 ? rows.total - position > MAX_LOOKED : position > MAX_LOOKED
    const where = step === 1 ? "below" : "above"
    notify(
      isLimited
        ? `None of the ${MAX_LOOKED} rows ${where} fails. The filter “failing rows” finds all of them.`
        : `No row ${where} fails.`,
    )
  }
  const takeWanted = useEffectEvent(() => {
    if (wanted.current !== undefined) void nextFailing(wanted.current)
  })
  useEffect(() => {
    if (isReady) takeWanted()
  }, [isReady])
  return {
    chosen,
    update,
    nextFailing,
    move: (step: 1 | -1) => {
      if (rows.total > 0) update({ at: Math.max(0, Math.min(rows.total - 1, position + step)) })
    },
    close: () => update({ at: undefined }),
  }
}
