import type { JobGrants } from "@assay/job-store"
import type { Registry } from "@assay/registry"
import type { VisibleWorkspaces } from "@assay/database"
import { AssayError, type EvaluationJob } from "@assay/schemas"
import type { JobRights } from "../rights/job-rights.ts"

/** The sender of a request. */
export interface JobCaller {
  /** The rights that the references of a launch are checked against. */
  readonly rights: JobRights
  /** The rights of its jobs after their launch. */
  readonly grants: JobGrants
  readonly visible: VisibleWorkspaces
  /** @throws `not_found` if the caller may not see the workspace; `forbidden` if it has a weaker role there */
  readonly checkRole: (workspace: string, role: "viewer" | "editor") => void
}

/** The caller of an operation on a job, and the role that the operation needs. */
export interface JobAccess {
  readonly caller: JobCaller
  readonly role: "viewer" | "editor"
}

/**
 * Returns a job in whose workspace the caller has at least `role`. If the caller may not see the job, the error is that of a job that
 * does not exist.
 * @throws `not_found`, `forbidden`
 */
export async function findJob(
  { jobs }: Pick<Registry, "jobs">,
  id: string,
  { caller, role }: JobAccess,
): Promise<EvaluationJob> {
  const job = await jobs.get(id)
  if (!caller.rights.sees(job.namespace)) {
    throw new AssayError("not_found", `Evaluation job '${id}' not found`, { context: { job: id } })
  }
  caller.checkRole(job.namespace, role)
  return job
}
