import type { FilesetSource } from "@assay/evaluation"
import type { CallerRegistry } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import type { EnvironmentRights } from "./environment-rights.ts"

export interface SourceScope {
  readonly namespace: string
  readonly rights: EnvironmentRights
}

const MAX_NAMES = 100

/** The filesets of the registry, as a job may see them: what it may not is not there. */
export function filesetSource({ filesets, files }: CallerRegistry, { namespace, rights }: SourceScope): FilesetSource {
  function checkSeen(workspace: string): void {
    if (workspace === namespace || rights.sees(workspace)) return
    throw new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
  }

  return {
    async getFileset(workspace, name) {
      checkSeen(workspace)
      return filesets.get(workspace, name)
    },
    async openStorage(workspace, name) {
      checkSeen(workspace)
      return files.open(workspace, name)
    },
    async listNames(workspace) {
      checkSeen(workspace)
      const { data } = await filesets.list(workspace, { page: 1, page_size: MAX_NAMES, sort: "name" }, "all")
      return data.map(({ name }) => name)
    },
  }
}
