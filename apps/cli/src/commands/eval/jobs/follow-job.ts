import type { Client } from "@assay/client"
import { isFinalJobStatus, type JobStatus } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import type { ProgressTeller } from "../screen/progress-teller.ts"
import { progressOf } from "./progress-of.ts"
import { jobStatusOf } from "./job-status-of.ts"

/** Shows a job of a server until it has ended. */
export async function followJob(
  { signal }: Context,
  client: Client,
  id: string,
  teller: ProgressTeller,
): Promise<JobStatus> {
  let status: JobStatus = "PENDING"
  try {
    for await (const { event, data } of client.evaluation.jobs.events(id, { signal })) {
      if (event === "progress") {
        const progress = progressOf(data)
        if (progress !== undefined) teller.show(progress)
      }
      if (event === "condition") teller.say(`${String(data["title"])}: ${String(data["message"])}`)
      if (event === "log" && data["level"] === "error") teller.say(String(data["message"]))
      if (event === "status") {
        status = jobStatusOf(String(data["status"]))
        if (!isFinalJobStatus(status)) teller.say(`${id}: ${status}`)
      }
    }
  } finally {
    teller.end()
  }
  return status
}
