import { resolve } from "node:path"
import type { Condition, JobExplanation } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { isFolderName } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import { printable } from "../../../output/printable.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { readRunRecord } from "../run/run-record.ts"
import { explainHere } from "../screen/explain-here.ts"
import { formatConditions } from "../screen/format-conditions.ts"
import { readStoredJob } from "./read-results-folder.ts"

/** `assay eval explain <job>`: what happened, what shows it, what to do and what to run next. */
export async function explainEvaluation(context: Context, place: string, options: JsonOption): Promise<void> {
  await print(context, options, await explanationOf(context, place), formatExplanation)
}

async function explanationOf(context: Context, place: string): Promise<JobExplanation> {
  if (!isFolderName(place)) return openClient(context).evaluation.jobs.explain(place, { signal: context.signal })
  const { conditions, ...job } = await readStoredJob(context, place)
  const run = await readRunRecord(resolve(context.cwd, place))
  const status_details = { message: run?.message ?? "", task_status: {}, progress: run?.progress ?? null }
  return explainHere({ ...job, status_details, conditions: [...conditions] }, run === undefined ? undefined : place)
}

function formatExplanation({ summary, conditions, next }: JobExplanation): string {
  const sections = [
    `${printable(summary)}\n`,
    formatConditions(conditions as readonly Condition[]),
    next.length === 0 ? "" : `next:\n${next.map((command) => `    ${printable(command)}\n`).join("")}`,
  ]
  return sections.filter((section) => section !== "").join("\n")
}
