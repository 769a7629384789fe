import { formatCount, formatInteger } from "@assay/reports"
import type { ComparedRow, ComparedRowPage, ComparedRowSort, Comparison } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Beside } from "../../../components/beside.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useIsNarrow } from "../../../components/use-is-narrow.ts"
import { usePageKeys } from "../../../components/use-page-keys.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import type { RowSource } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { askedFields } from "../rows/template-fields.ts"
import { comparedScores } from "./compared-scores.ts"
import { comparedRowColumns, NARROW_ROW_HEIGHT, narrowComparedColumns } from "./compared-row-columns.tsx"
import { ComparedRowPanel } from "./compared-row-panel.tsx"
import { FlipTable } from "./flip-table.tsx"
import { flipCounts } from "./flips.ts"
import { useComparedRows } from "./use-compared-rows.ts"
import type { ComparedView } from "./use-compared-view.ts"

const ORDERS = {
  changed: "most changed first",
  difference: "worst of the job first",
  "-difference": "best of the job first",
  index: "order of the dataset",
} as const satisfies Partial<Record<ComparedRowSort, string>>

/** Two answers side by side need more room than one. */
const PANEL_WIDTH = { share: 58, of: "compare" }

export interface ComparedRowsProps {
  readonly comparison: Comparison
  readonly view: ComparedView
}

/** Shows every row that both jobs have by one score, with both answers of the chosen row beside the table. */
export function ComparedRows(props: ComparedRowsProps): ReactElement | null {
  const { comparison, view } = props
  const { compared, pair, flip } = view
  const a = comparison.jobs[0]?.id
  // Scores over all rows, such as corpus BLEU, have no value for a row.
  if (compared === undefined || a === undefined || view.job === "") return null
  return (
    <section aria-label="Rows of both jobs">
      <h2>Rows of both jobs</h2>
      {pair === undefined ? null : (
        <FlipTable
          counts={flipCounts(pair, compared.score)}
          chosen={flip}
          onChoose={(next) => view.show({ flip: next })}
        />
      )}
      <RowsOfScore {...props} a={a} compared={compared} />
    </section>
  )
}

interface RowsOfScoreProps extends ComparedRowsProps {
  readonly a: string
  readonly compared: NonNullable<ComparedView["compared"]>
}

function RowsOfScore(props: RowsOfScoreProps): ReactElement {
  const { comparison, view, a, compared } = props
  const [search, update] = useTableSearch()
  const { q, at } = search
  const others = useMemo(() => comparison.jobs.slice(1).filter(({ id }) => id !== view.job), [comparison, view.job])
  const { rows, first, sort } = useComparedRows({ a, view, compared, others })
  const { columns, isNarrow } = useColumns({ compared, job: view.job, items: first?.data, others })
  const { chosen, move, close } = useChosen(rows, at, (next) => update({ at: next }))
  return (
    <>
      {first === undefined ? null : <RowCounts counts={first} />}
      <Beside
        width={PANEL_WIDTH}
        panel={
          chosen === undefined ? null : (
            <ComparedRowPanel row={chosen} jobs={[a, view.job]} others={others} onStep={move} onClose={close} />
          )
        }
      >
        <DataTable
          label="Rows of both jobs"
          columns={columns}
          rows={rows}
          search={{ ...search, sort }}
          onSearch={update}
          onOpen={(_row, index) => update({ at: index })}
          {...(isNarrow ? { rowHeight: NARROW_ROW_HEIGHT } : {})}
          filter={
            <>
              <TextFilter
                label="Find rows"
                placeholder="Text in the item or the output of the job"
                search={search}
                onSearch={update}
              />
              <ComparedChoices comparison={comparison} view={view} />
              <ChoiceFilter
                label="Order"
                choices={ORDERS}
                value={sort}
                onChoose={(next) => update({ sort: next, at: undefined })}
              />
            </>
          }
          empty={
            <EmptyState
              title={q === undefined && view.flip === undefined ? "The jobs have no row in common" : "No row matches"}
            />
          }
        />
      </Beside>
    </>
  )
}

interface ColumnsOptions extends Pick<RowsOfScoreProps, "compared"> {
  /** The id of the job that is compared with the baseline. */
  readonly job: string
  /** The first rows. */
  readonly items: readonly ComparedRow[] | undefined
  readonly others: Comparison["jobs"]
}

/** Returns the columns of the rows, which are a single one on a phone. */
function useColumns({ compared, job, items, others }: ColumnsOptions) {
  const { higher_is_better: isHigherBetter } = compared.score
  const asked = useAskedFields(job)
  const isNarrow = useIsNarrow()
  const columns = useMemo(() => {
    const of = items?.map(({ b }) => b.item) ?? []
    const options = { sign: isHigherBetter ? 1 : -1, items: of, asked, others } as const
    return isNarrow ? narrowComparedColumns(options) : comparedRowColumns(options)
  }, [isHigherBetter, items, asked, others, isNarrow])
  return { columns, isNarrow }
}

const NONE_ASKED: ReadonlySet<string> = new Set()

/** Returns the fields of items that the prompts and metrics of a job use. */
function useAskedFields(id: string): ReadonlySet<string> {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) => client.evaluation.jobs.get(id, { signal }),
  })
  return useMemo(() => (data === undefined ? NONE_ASKED : askedFields(data.config)), [data])
}

/** Returns the chosen row, and what chooses another one: also the keys, from anywhere on the page. */
function useChosen(rows: RowSource<ComparedRow>, at: number | undefined, choose: (at: number | undefined) => void) {
  const chosen = at === undefined ? undefined : rows.get(at)
  const move = (step: 1 | -1) => {
    if (rows.total > 0) choose(Math.max(0, Math.min(rows.total - 1, (at ?? -1) + step)))
  }
  const close = () => choose(undefined)
  usePageKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Escape: () => (chosen === undefined ? false : close()),
  })
  return { chosen, move, close }
}

/** Renders what chooses the score, and the job if there are several. */
function ComparedChoices({ comparison, view }: ComparedRowsProps): ReactElement {
  const scores = comparedScores(comparison)
  const jobs = comparison.jobs.slice(1)
  return (
    <>
      {scores.length === 1 ? null : (
        <ChoiceFilter
          label="Score"
          choices={namedChoices(scores.map(({ name }) => name))}
          value={view.compared?.name}
          onChoose={(score) => view.show(score === undefined ? {} : { score })}
        />
      )}
      {jobs.length === 1 ? null : (
        <ChoiceFilter
          label="Job"
          choices={Object.fromEntries(jobs.map(({ id, name }) => [id, name]))}
          value={view.job}
          onChoose={(job) => view.show(job === undefined ? {} : { job })}
        />
      )}
    </>
  )
}

interface RowCountsProps {
  readonly counts: Pick<ComparedRowPage, "total" | "only_a" | "only_b">
}

/** Says how many rows both jobs have. */
function RowCounts({ counts }: RowCountsProps): ReactElement {
  return (
    <p className="soft">
      {formatCount(counts.total, "row")} in both jobs
      {onlyText("the baseline", counts.only_a)}
      {onlyText("the job", counts.only_b)}.
    </p>
  )
}

function onlyText(job: string, rows: number): string {
  return rows === 0 ? "" : `; ${formatInteger(rows)} more in ${job} only`
}
