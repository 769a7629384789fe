import type { JobStatusAnswer } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import { printable } from "../../../output/printable.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { formatConditions } from "../screen/format-conditions.ts"

/** `assay eval status <job>` */
export async function showStatus(context: Context, id: string, options: JsonOption): Promise<void> {
  const { jobs } = openClient(context).evaluation
  await print(context, options, await jobs.status(id, { signal: context.signal }), (status) => formatStatus(id, status))
}

function formatStatus(id: string, answer: JobStatusAnswer): string {
  const { status, message, task_status, samples_processed, samples_total, conditions } = answer
  const rows = `${samples_processed.toLocaleString("en-US")} of ${samples_total?.toLocaleString("en-US") ?? "?"} rows`
  const tasks = Object.entries(task_status).map(([task, word]) => `  ${printable(task)}: ${word}\n`)
  const found =
    conditions.length === 0 ? "" : `\n${formatConditions(conditions as Parameters<typeof formatConditions>[0])}`
  return `${id}: ${status}, ${rows}${message === "" ? "" : `\n${printable(message)}`}\n${tasks.join("")}${found}`
}
