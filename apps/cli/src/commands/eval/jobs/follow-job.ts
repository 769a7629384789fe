import type { Client } from "@assay/client"
import { isFinalJobStatus, type JobStatus } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { printable } from "../../../output/printable.ts"
import type { ProgressTeller } from "../screen/progress-teller.ts"
import { progressOf } from "./progress-of.ts"
import { jobStatusOf } from "./job-status-of.ts"

/** Shows a job of a server until it has ended. */
export async function followJob(
  { signal }: Context,
  client: Client,
  id: string,
  teller: ProgressTeller,
): Promise<void> {
  let status: JobStatus | undefined
  try {
    for await (const { event, data } of client.evaluation.jobs.events(id, { signal })) {
      if (event === "progress") {
        const progress = progressOf(data)
        if (progress !== undefined) teller.show(progress)
      }
      if (event === "condition") teller.say(printable(`${String(data["title"])}: ${String(data["message"])}`))
      if (event === "log" && data["level"] === "error") teller.say(printable(String(data["message"])))
      if (event === "status") {
        const next = jobStatusOf(String(data["status"]))
        if (next !== status && !isFinalJobStatus(next)) teller.say(`${id}: ${next}`)
        status = next
      }
    }
  } finally {
    teller.end()
  }
}
