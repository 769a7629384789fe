import {
  type JobShard,
  type JobShardPage,
  type JobStatusAnswer,
  type JobStatusDetails,
  printable,
} from "@assay/schemas"
import { formatCount, formatInteger } from "../text/format-number.ts"
import { tokenUse } from "../text/token-use.ts"
import { formatConditions } from "./evaluations/format-conditions.ts"

/** Shards that are printed. */
const SHOWN = 10

/** An answer with the counts that servers add while they know them. */
type CountedStatus = JobStatusAnswer & Pick<JobStatusDetails, "tokens">

/** Formats the status of a job of a server, with its tasks, tokens, conditions and shards. */
export function formatJobStatus(id: string, answer: CountedStatus, shards: JobShardPage): string {
  const { status, message, task_status, samples_processed, samples_total, conditions, rescored_from, verdict, tokens } =
    answer
  const rows = `${formatInteger(samples_processed)} of ${samples_total === null ? "?" : formatInteger(samples_total)} rows`
  const tasks = Object.entries(task_status).map(([task, word]) => `  ${printable(task)}: ${word}\n`)
  const found = conditions.length === 0 ? "" : `\n${formatConditions(conditions)}`
  const source = rescored_from === undefined ? "" : `\nscores the outputs of ${printable(rescored_from)}`
  const judged = verdict == null ? "" : `, verdict ${verdict}`
  const used = tokens === undefined ? "" : `  tokens: ${tokenUse(tokens)}, without judges\n`
  return `${id}: ${status}, ${rows}${judged}${source}${message === "" ? "" : `\n${printable(message)}`}\n${tasks.join("")}${used}${found}${formatShards(shards)}`
}

/** Returns what is said of the shards of a job on a server. Empty if it has none. */
function formatShards({ data, executor, total, counts }: JobShardPage): string {
  if (total === 0) return ""
  // A server of an earlier version has no count of those that are stopped.
  const others = (["failed", "stopped"] as const).flatMap((state) =>
    counts[state] > 0 ? `, ${formatInteger(counts[state])} ${state}` : [],
  )
  const by = executor === null ? "" : ` on ${printable(executor)}`
  const sum = `${formatInteger(counts.done)} of ${formatCount(total, "shard")} done${by}, ${formatInteger(counts.running)} running, ${formatInteger(counts.waiting)} waiting${others.join("")}\n`
  const open = data.filter(({ state }) => state !== "waiting" && state !== "done")
  const more = open.length > SHOWN ? [`  … and ${open.length - SHOWN} others\n`] : []
  return [sum, ...open.slice(0, SHOWN).map(formatShard), ...more].join("")
}

function formatShard({ index, state, location, reason, processed, rows, message }: JobShard): string {
  const where = location === null ? "" : ` on ${printable(location)}`
  const said = reason === null ? "" : ` (${printable(reason)})`
  const why = message === null ? "" : `: ${printable(message)}`
  return `  shard ${index}: ${state}${where}${said}, ${formatInteger(processed)} of ${formatInteger(rows)} rows${why}\n`
}
