import type { FilesetStore } from "@assay/filesets"
import type { ResultsFilesets } from "@assay/job-store"

/** Creates the filesets with results of jobs over the filesets of the registry. */
export function createResultsFilesets({
  stageResults,
  removal,
}: Pick<FilesetStore, "stageResults" | "removal">): ResultsFilesets {
  return {
    stage: stageResults,
    async remove({ workspace, name }, { by, job, after }) {
      const { after: result } = await removal.remove<Awaited<ReturnType<typeof after>>>(
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
