import { formatInteger, formatScore } from "@assay/reports"
import type { ScoredRow } from "@assay/schemas"
import type { Column } from "../../../table/column.ts"

const MAX_SCORES = 20
const MAX_TEXT = 300

/** Returns the columns of a job's rows. `scores` are names such as `metric.score`. */
export function scoredRowColumns(scores: readonly string[], hasTasks: boolean): readonly Column<ScoredRow>[] {
  return [
    {
      id: "#",
      title: "#",
      width: "5rem",
      align: "end",
      sortBy: "index",
      render: ({ row_index, repeat }) => `${row_index}${repeat === 0 ? "" : ` (${repeat})`}`,
      text: ({ row_index }) => row_index,
    },
    ...(hasTasks ? [TASK] : []),
    ...scores.slice(0, MAX_SCORES).map((name) => scoreColumn(name, scores)),
    {
      id: "item",
      title: "Item",
      width: "minmax(14rem, 3fr)",
      render: ({ item }) => <span title={itemText(item)}>{itemText(item)}</span>,
      text: ({ item }) => JSON.stringify(item),
    },
    {
      id: "output",
      title: "Output",
      width: "minmax(14rem, 3fr)",
      render: ({ output, error }) =>
        error === null ? (
          <span title={output ?? ""}>{output?.slice(0, MAX_TEXT)}</span>
        ) : (
          <span title={error.message}>
            <code>{error.code}</code> {error.message}
          </span>
        ),
      text: ({ output, error }) => output ?? error?.code ?? null,
    },
    {
      id: "latency",
      title: "Latency",
      width: "6.5rem",
      align: "end",
      sortBy: "latency",
      sortsDown: true,
      render: ({ latency_ms }) => (latency_ms === null ? "–" : `${formatInteger(Math.round(latency_ms))} ms`),
      text: ({ latency_ms }) => latency_ms,
    },
    {
      id: "condition",
      title: "Condition",
      width: "9rem",
      render: ({ condition, verdict }) => condition ?? verdict ?? "",
      text: ({ condition, verdict }) => condition ?? verdict,
    },
  ]
}

const TASK: Column<ScoredRow> = {
  id: "task",
  title: "Task",
  width: "minmax(7rem, 1fr)",
  render: ({ task }) => task,
  text: ({ task }) => task,
}

function scoreColumn(name: string, all: readonly string[]): Column<ScoredRow> {
  const [metric, score] = splitScore(name)
  const isOnly = all.filter((other) => splitScore(other)[0] === metric).length === 1
  return {
    id: name,
    title: isOnly ? metric : name,
    width: "6rem",
    align: "end",
    sortBy: `score:${name}`,
    render: ({ scores }) => formatScore(scores[metric]?.[score]),
    text: ({ scores }) => scores[metric]?.[score] ?? null,
  }
}

/** Names of metrics can contain dots; those of scores can't. */
function splitScore(name: string): readonly [string, string] {
  const end = name.lastIndexOf(".")
  return end === -1 ? [name, name] : [name.slice(0, end), name.slice(end + 1)]
}

/** Returns an item as text on one line, at most 300 characters. */
export function itemText(item: ScoredRow["item"]): string {
  const values = Object.values(item)
  const text = values.length === 1 && typeof values[0] === "string" ? values[0] : JSON.stringify(item)
  return text.slice(0, MAX_TEXT)
}
