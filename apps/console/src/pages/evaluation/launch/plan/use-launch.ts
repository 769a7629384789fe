import type { EvaluationJob, LaunchCheckProgress } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useClient } from "../../../../api/use-client.ts"
import { useNotify } from "../../../../components/notices.tsx"
import { followLaunched } from "../../ends/follow-end.ts"
import type { LaunchJob } from "../file/read-launch-file.ts"
import { withReport } from "./launch-checks.tsx"

/** A job that was launched. */
export interface LaunchedJob extends Pick<EvaluationJob, "id"> {
  readonly label: string | undefined
}

/**
 * Launches the jobs of a file one after another, and opens the page of the only one. If one of several is refused, those before it are launched.
 * @param onLaunched called when all are launched
 */
export function useLaunch(onLaunched: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [launched, setLaunched] = useState<readonly LaunchedJob[]>([])
  const launch = useMutation({
    mutationFn: async (jobs: readonly LaunchJob[]) => {
      const done: LaunchedJob[] = []
      setLaunched([])
      try {
        for (const { label, body } of jobs) {
          const { id } = await client.evaluation.jobs.launch(body)
          done.push({ id, label })
          followLaunched(id)
          setLaunched([...done])
        }
      } finally {
        await queries.invalidateQueries({ queryKey: ["jobs"] })
      }
      return done
    },
    onSuccess: async ([only, other]) => {
      onLaunched()
      if (only !== undefined && other === undefined) await navigate({ to: "/jobs/$id", params: { id: only.id } })
    },
  })
  return { launch, launched }
}

/** Runs the launch checks of jobs that ask their models, and returns the reports as they come. */
export function useLaunchCheck() {
  const client = useClient()
  const [checks, setChecks] = useState<readonly LaunchCheckProgress[]>([])
  const check = useMutation({
    mutationFn: async (jobs: readonly LaunchJob[]) => {
      setChecks([])
      const onCheck = (report: LaunchCheckProgress) => setChecks((all) => withReport(all, report))
      const outcomes = []
      for (const { body } of jobs) outcomes.push(await client.evaluation.jobs.check(body, { onCheck }))
      return outcomes
    },
  })
  return { check, checks }
}

/** Saves the configuration of a file, unless it only names a stored one. */
export function useSaveConfiguration() {
  const client = useClient()
  const notify = useNotify()
  return useMutation({
    mutationFn: async ([job]: readonly LaunchJob[]) => {
      if (job === undefined || typeof job.body.config === "string") return
      await client.evaluation.configs.create({ ...job.body.config, namespace: job.body.namespace })
    },
    onSuccess: () => notify("Saved the configuration"),
  })
}
