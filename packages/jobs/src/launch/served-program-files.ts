import type { CallerRegistry, Registry } from "@assay/registry"
import { withProgramFiles } from "@assay/evaluation"
import { AssayError, type EvaluationConfigBody } from "@assay/schemas"
import { checkSeen, type JobScopeRights } from "../rights/job-rights.ts"

interface ServedFiles extends JobScopeRights {
  readonly registry: Pick<Registry, "as">
  readonly signal: AbortSignal
}

/**
 * Puts the files of programs that are in filesets into the configuration of a launch, with the rights of its caller.
 * @throws `not_found`, `invalid_request`, `revision_gone`
 */
export async function withServedFiles(
  config: EvaluationConfigBody,
  { registry, workspace: ownWorkspace, rights, signal }: ServedFiles,
): Promise<EvaluationConfigBody> {
  const own: Pick<CallerRegistry, "files" | "history"> = registry.as(
    (workspace) => workspace === ownWorkspace || rights.edits(workspace),
  )
  return withProgramFiles(config, {
    signal,
    async open(workspace, name, revision) {
      checkSeen(workspace, { workspace: ownWorkspace, rights })
      if (revision === undefined) return own.files.open(workspace, name)
      const [state] = await own.history.open(workspace, name, [revision])
      if (state !== undefined) return state.storage
      throw new AssayError("not_found", `Fileset '${workspace}/${name}' has no revision '${revision.slice(0, 100)}'`)
    },
  })
}
