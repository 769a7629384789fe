import type { LaunchBody } from "@assay/schemas"

/** The file that a task reads, and how often. */
export interface TaskDataset {
  readonly workspace: string
  readonly fileset: string
  readonly path: string
  readonly limit: number | undefined
  readonly repeats: number
}

const ADDRESS = /^assay:\/\/datasets\/([^/]+)\/([^/]+)\/(.+)$/u

/** Returns the single files that the tasks of an inline definition read. Other datasets are counted by the server alone. */
export function datasetsOf({ config }: Partial<LaunchBody>): readonly TaskDataset[] {
  if (typeof config !== "object") return []
  return Object.values(config.tasks ?? {}).flatMap(({ dataset, params }) => {
    const { files_url: address, limit } = (dataset ?? {}) as { readonly files_url?: string; readonly limit?: number }
    const [, workspace, fileset, path] = ADDRESS.exec(address ?? "") ?? []
    if (workspace === undefined || fileset === undefined || path === undefined) return []
    const limits = [limit, params?.limit_samples, config.params?.limit_samples].filter(
      (value) => typeof value === "number",
    )
    const repeats = params?.repeats ?? config.params?.repeats ?? 1
    return [{ workspace, fileset, path, limit: limits.length === 0 ? undefined : Math.min(...limits), repeats }]
  })
}
