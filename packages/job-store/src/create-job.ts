import { AssayError, type EvaluationJob } from "@assay/schemas"
import { workspaceMissing, checkStorable, createRecord } from "@assay/database"
import type { JobsContext } from "./jobs-context.ts"
import { addEvents, type NewJobEvent } from "./job-events.ts"
import { jobOf } from "./job-row.ts"
import type { CreateJob } from "./jobs.ts"

const WAITING = "Waiting for a runner."

type JobContext = Pick<JobsContext, "database" | "now" | "newId">

/** Inserts a job that waits for a runner. */
export async function createJob({ database, now, newId }: JobContext, body: CreateJob): Promise<EvaluationJob> {
  const { id = newId("eval"), namespace: workspace, target, config, description = "", project = "" } = body
  const { output_files_url = null } = body
  checkStorable({ description, project, output_files_url })
  const time = now()
  const row = {
    id,
    namespace: workspace,
    description,
    project,
    target: JSON.stringify(target),
    target_name: nameOf(target, workspace),
    config: JSON.stringify(config),
    config_name: nameOf(config, workspace),
    output_files_url,
    custom_fields: JSON.stringify(body.custom_fields ?? {}),
    ownership: JSON.stringify(body.ownership ?? {}),
    grants: JSON.stringify(body.grants ?? []),
    status: "PENDING" as const,
    status_details: JSON.stringify({ message: WAITING, task_status: {}, progress: 0, estimate: body.estimate }),
    conditions: "[]",
    pins: "[]",
    result: null,
    attempt: 1,
    scope: JSON.stringify({ kind: "run" }),
    lease: "",
    leased_until: 0,
    takeovers: 0,
    claims: 0,
    results_folder: "",
    results_fileset: body.resultsFileset ?? "",
    is_stopping: 0,
    priority: config.params?.priority ?? 0,
    last_event: 0,
    rescored_from: body.rescored_from ?? null,
    created_at: time,
    updated_at: time,
    started_at: null,
    finished_at: null,
  }
  await createRecord(
    database,
    async (queries) => {
      await queries.insertInto("evaluation_jobs").values(row).execute()
      const first: NewJobEvent = { kind: "status", data: { status: row.status, message: WAITING } }
      await addEvents(queries, id, [first, ...(body.events ?? [])], time)
    },
    {
      taken: () => new AssayError("already_exists", `Evaluation job '${id}' already exists`),
      missingParent: () => workspaceMissing(workspace),
    },
  )
  return jobOf(row)
}

function nameOf(body: { readonly name?: string; readonly namespace?: string }, workspace: string): string {
  return body.name === undefined || body.name === "" ? "" : `${body.namespace ?? workspace}/${body.name}`
}
