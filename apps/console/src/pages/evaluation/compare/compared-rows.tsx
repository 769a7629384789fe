import { formatInteger } from "@assay/reports"
import type { ComparedRow, ComparedRowSort, Comparison, ScoreComparison } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import "../results/beside-row.css"
import { comparedRowColumns } from "./compared-row-columns.tsx"
import { ComparedRowPanel } from "./compared-row-panel.tsx"

const ORDERS = {
  changed: "most changed first",
  difference: "worst of the job first",
  "-difference": "best of the job first",
  index: "order of the dataset",
} as const satisfies Partial<Record<ComparedRowSort, string>>

/** Shows every row that both jobs have by one score, with both answers of the chosen row beside the table. */
export function ComparedRows({ comparison }: { readonly comparison: Comparison }): ReactElement | null {
  const { jobs } = comparison
  // Scores over all rows, such as corpus BLEU, have no value for a row.
  const scores = comparison.scores.filter(({ pairs }) => pairs.length > 0)
  const [name, setName] = useSearchValue("score")
  const score = scores.find((one) => nameOf(one) === name) ?? scores[0]
  const [a, b] = [jobs[0]?.id, jobs.at(-1)?.id]
  if (score === undefined || a === undefined || b === undefined) return null
  const choice =
    scores.length === 1 ? null : (
      <select aria-label="Score" value={nameOf(score)} onChange={({ target }) => setName(target.value)}>
        {scores.map((one) => (
          <option key={nameOf(one)} value={nameOf(one)}>
            {nameOf(one)}</option>
        ))}
      </select>
    )
  return (
    <section aria-label="Rows of both jobs">
      <h2>Rows of both jobs</h2>
      <RowsOfScore a={a} b={b} score={score} choice={choice} />
    </section>
  )
}

interface RowsOfScoreProps {
  readonly a: string
  readonly b: string
  readonly score: ScoreComparison
  /** Chooses another score. */
  readonly choice: ReactElement | null
}

function RowsOfScore({ a, b, score, choice }: RowsOfScoreProps): ReactElement {
  const client = useClient()
  const [search, update] = useTableSearch()
  const { sort = "changed", q, at = 0 } = search
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
  const counts = useQuery({
    queryKey: [...queryKey, "counts"],
    queryFn: ({ signal }) => client.evaluation.compareRows({ ...query, limit: 1 }, { signal }),
  }).data
  const columns = useMemo(() => comparedRowColumns(score.higher_is_better ? 1 : -1), [score.higher_is_better])
  const chosen = rows.get(at)
  return (
    <>
      {counts === undefined ? null : (
        <p className="soft">
          {formatInteger(counts.total)} rows{onlyText("the baseline", counts.only_a)}
          {onlyText("the job", counts.only_b)}.
        </p>
      )}
      <div className="beside-row">
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
        {chosen === undefined ? null : <ComparedRowPanel row={chosen} />}
      </div>
    </>
  )
}

/** The name of a score in the address. */
function nameOf({ task, metric, score }: ScoreComparison): string {
  return [task, metric, ...(metric === score ? [] : [score])].join(" · ")
}

function onlyText(job: string, rows: number): string {
  return rows === 0 ? "" : `; ${formatInteger(rows)} more in ${job} only`
}
