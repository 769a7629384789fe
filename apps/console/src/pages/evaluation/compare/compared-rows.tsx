import { formatCount, formatInteger } from "@assay/reports"
import type { ComparedRow, ComparedRowPage, ComparedRowSort, Comparison } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Beside } from "../../../components/beside.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { usePageKeys } from "../../../components/use-page-keys.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { comparedScores, type ComparedScore } from "./compared-scores.ts"
import { comparedRowColumns } from "./compared-row-columns.tsx"
import { ComparedRowPanel } from "./compared-row-panel.tsx"

const ORDERS = {
  changed: "most changed first",
  difference: "worst of the job first",
  "-difference": "best of the job first",
  index: "order of the dataset",
} as const satisfies Partial<Record<ComparedRowSort, string>>

/** Two answers side by side need more room than one. */
const PANEL_WIDTH = { share: 58, of: "compare" }

/** Shows every row that both jobs have by one score, with both answers of the chosen row beside the table. */
export function ComparedRows({ comparison }: { readonly comparison: Comparison }): ReactElement | null {
  const { jobs } = comparison
  // Scores over all rows, such as corpus BLEU, have no value for a row.
  const scores = comparedScores(comparison)
  const [name, setName] = useSearchValue("score")
  const compared = scores.find((one) => one.name === name) ?? scores[0]
  const a = jobs[0]?.id
  const b = jobs.at(-1)?.id
  if (compared === undefined || a === undefined || b === undefined) return null
  const choice =
    scores.length === 1 ? null : (
      <select aria-label="Score" value={compared.name} onChange={({ target }) => setName(target.value)}>
        {scores.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
          </option>
        ))}
      </select>
    )
  return (
    <section aria-label="Rows of both jobs">
      <h2>Rows of both jobs</h2>
      <RowsOfScore a={a} b={b} compared={compared} choice={choice} />
    </section>
  )
}

interface RowsOfScoreProps {
  readonly a: string
  readonly b: string
  readonly compared: ComparedScore
  /** Chooses another score. */
  readonly choice: ReactElement | null
}

function RowsOfScore({ a, b, compared, choice }: RowsOfScoreProps): ReactElement {
  const [search, update] = useTableSearch()
  const { q, at } = search
  const { rows, counts, sort } = useComparedRows({ a, b, compared })
  const { higher_is_better: isHigherBetter } = compared.score
  const columns = useMemo(() => comparedRowColumns(isHigherBetter ? 1 : -1), [isHigherBetter])
  const chosen = at === undefined ? undefined : rows.get(at)
  const move = (step: 1 | -1) => {
    if (rows.total > 0) update({ at: Math.max(0, Math.min(rows.total - 1, (at ?? -1) + step)) })
  }
  const close = () => update({ at: undefined })
  usePageKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Escape: () => (chosen === undefined ? false : close()),
  })
  return (
    <>
      {counts === undefined ? null : <RowCounts counts={counts} compared={compared} />}
      <Beside panel={
          chosen === undefined ? null : <ComparedRowPanel row={chosen} jobs={[a, b]} onStep={move} onClose={close} />
        }>
        <DataTable
          label="Rows of both jobs"
          columns={columns}
          rows={rows}
          search={{ ...search, sort }}
          onSearch={update}
          onOpen={(_row, index) => update({ at: index })}
          filter={
            <>
              <TextFilter
                label="Find rows"
                placeholder="Text in the item or the output of the job"
                search={search}
                onSearch={update}
              />
              {choice}
              <ChoiceFilter
                label="Order"
                choices={ORDERS}
                value={sort}
                onChoose={(next) => update({ sort: next, at: undefined })}
              />
            </>
          }
          empty={<EmptyState title={q === undefined ? "The jobs have no row in common" : "No row matches"} />}
        />
      </Beside>
    </>
  )
}

/** Returns the rows of both jobs by one score, in the order and with the text of the address, and how many there are. */
function useComparedRows({ a, b, compared: { score } }: Omit<RowsOfScoreProps, "choice">) {
  const client = useClient()
  const [{ sort = "changed", q }] = useTableSearch()
  const { task, metric } = score
  const filter = q === undefined ? {} : { filter: { text: { $like: q } } }
  const query = { a, b, task, metric: `${metric}.${score.score}`, sort: sort as ComparedRowSort, ...filter }
  const queryKey = ["jobs", "compare", "rows", query]
  const rows = usePagedRows<ComparedRow>({
    queryKey,
    fetchPage: async (offset, limit, signal) => {
      const page = await client.evaluation.compareRows({ ...query, offset, limit }, { signal })
      return { rows: page.data, total: page.matched }
    },
  })
  const { data: counts } = useQuery({
    queryKey: [...queryKey, "counts"],
    queryFn: ({ signal }) => client.evaluation.compareRows({ ...query, limit: 1 }, { signal }),
  })
  return { rows, counts, sort }
}

interface RowCountsProps {
  readonly counts: Pick<ComparedRowPage, "total" | "only_a" | "only_b">
  readonly compared: ComparedScore
}

/** Says how many rows both jobs have, and how many of them are worse and better. */
function RowCounts({ counts, compared: { score, pair } }: RowCountsProps): ReactElement {
  return (
    <p className="soft">
      {formatCount(counts.total, "row")}
      {onlyText("the baseline", counts.only_a)}
      {onlyText("the job", counts.only_b)}. By {score.metric}: {formatInteger(pair.worsened)} worse,{" "}
      {formatInteger(pair.improved)} better.
    </p>
  )
}

function onlyText(job: string, rows: number): string {
  return rows === 0 ? "" : `; ${formatInteger(rows)} more in ${job} only`
}
