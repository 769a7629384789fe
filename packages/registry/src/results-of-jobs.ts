import type { FilesetStore } from "@assay/filesets"
import type { FilesetName, RemoveResultsOptions, ResultsFilesets } from "@assay/job-store"

/** Creates the filesets with results of jobs over the filesets of the registry. */
export function createResultsFilesets({
  stageResults,
  removal,
}: Pick<FilesetStore, "stageResults" | "removal">): ResultsFilesets {
  return {
    stage: stageResults,
    async remove<T>({ workspace, name }: FilesetName, { by, job, after }: RemoveResultsOptions<T>) {
      const { after: result } = await removal.remove<T>(
        (filesets) => filesets.where("workspace", "=", workspace).where("name", "=", name),
        { by, job, after: (queries, { rows, keeping }) => after(queries, rows[0]?.id ?? null, keeping) },
      )
      return result
    },
    restoreIn: (queries, { workspace, id }) =>
      removal.restoreIn(queries, { workspace, id, name: undefined, kind: "results" }),
    settleRestored: (id) => removal.settleRestored(id),
  }
}
