import type { JobRights } from "@assay/evaluation"
import type { JobGrants, Registry } from "@assay/registry"
import { type Caller, includesRole, requireRole, type Role, roleIn } from "@assay/registry/tokens"
import { AssayError, invalidRequest, isAssayError, type EvaluationJob } from "@assay/schemas"

/** Returns the rights of a caller, which the references of a launch are checked against. */
export function rightsOfCaller(caller: Caller): JobRights {
  return {
    sees: (workspace) => roleIn(caller, workspace) !== undefined,
    edits: (workspace) => isEditor(caller, workspace),
  }
}

/** Returns the grants of a job, so that it runs with the rights of its caller after the launch. */
export function grantsOf(caller: Caller): JobGrants {
  if (isEditor(caller, "*")) return "all"
  const workspaces = new Set(caller.grants.map(({ workspace }) => workspace))
  return [...workspaces].filter((workspace) => isEditor(caller, workspace)).toSorted()
}

function isEditor(caller: Caller, workspace: string): boolean {
  const held = roleIn(caller, workspace)
  return held !== undefined && includesRole(held, "editor")
}

/**
 * Checks that the caller may create something in the namespace of a body.
 * @throws `not_found`, `forbidden`; `invalid_request` if the namespace does not exist
 */
export async function checkNamespace(
  { workspaces }: Pick<Registry, "workspaces">,
  namespace: string,
  caller: Caller,
): Promise<void> {
  requireRole(caller, namespace, "editor")
  try {
    await workspaces.get(namespace)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const msg = `Workspace '${namespace}' does not exist; create it first, or use one that is listed`
    throw invalidRequest(["body", "namespace"], msg, "workspace_missing", namespace)
  }
}

/**
 * Returns a job in whose namespace `caller` has at least `role`. If the caller may not see the job, the error is that of a job that
 * does not exist.
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
