import type { Registry } from "@assay/registry"
import { AssayError, type EvaluationJob } from "@assay/schemas"
import { roleIn, type Caller, type Role } from "../../auth/grant.ts"
import { requireRole } from "../../auth/require-role.ts"

/**
 * A job in whose namespace `caller` has at least `role`. One that may not be seen is answered as if it were not there.
 * @throws `not_found`, `forbidden`
 */
export async function findJob(
  { jobs }: Pick<Registry, "jobs">,
  id: string,
  { caller, role }: { readonly caller: Caller; readonly role: Role },
): Promise<EvaluationJob> {
  const job = await jobs.get(id)
  if (roleIn(caller, job.namespace) === undefined) {
    throw new AssayError("not_found", `Evaluation job '${id}' not found`, { context: { job: id } })
  }
  requireRole(caller, job.namespace, role)
  return job
}
