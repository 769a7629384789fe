import { formatCount } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import { useNotify } from "../../../components/notices.tsx"
import { useUndo } from "../../../components/use-undo.ts"
import { nameOfJob } from "./job-names.ts"

/** Returns the function that deletes jobs, and says so with an undo if the trash keeps them. */
export function useRemoveJobs(): (jobs: readonly EvaluationJob[]) => Promise<void> {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const undoing = useUndo()
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ["jobs"] })
    await queries.invalidateQueries({ queryKey: ["filesets"] })
  }
  return async (jobs) => {
    const kept: EvaluationJob[] = []
    const removed: EvaluationJob[] = []
    const nameOf = (some: readonly EvaluationJob[]) =>
      some.length === 1 && some[0] !== undefined ? nameOfJob(some[0]) : formatCount(some.length, "job")
    const restore = async () => {
      try {
        for (const { namespace, id } of kept) await client.trash.restoreJob(namespace, id)
      } finally {
        await refresh()
      }
    }
    try {
      for (const job of jobs) {
        const { restorable_until: until } = await client.evaluation.jobs.remove(job.id)
        removed.push(job)
        if (until !== null) kept.push(job)
      }
    } finally {
      // Also if one of them can't be removed: those before it are gone.
      if (removed.length > 0) {
        notify(`Deleted ${nameOf(removed)}`, kept.length > 0 ? undoing(restore, `Restored ${nameOf(kept)}`) : undefined)
      }
      await refresh()
    }
  }
}
