import type { LaunchCheckProgress } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useNotify } from "../../../components/notices.tsx"
import { withReport } from "./launch-checks.tsx"
import type { LaunchDocument } from "./read-launch-text.ts"

/** Launches a document and opens the page of its job. */
export function useLaunch() {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ body }: LaunchDocument) => client.evaluation.jobs.launch(body),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["jobs"] })
      await navigate({ to: "/jobs/$id", params: { id } })
    },
  })
}

/** Runs the launch checks of a document, and returns their reports as they come. */
export function useLaunchCheck() {
  const client = useClient()
  const [checks, setChecks] = useState<readonly LaunchCheckProgress[]>([])
  const check = useMutation({
    mutationFn: async ({ body }: LaunchDocument) => {
      setChecks([])
      const onCheck = (report: LaunchCheckProgress) => setChecks((all) => withReport(all, report))
      return client.evaluation.jobs.check(body, { onCheck })
    },
  })
  return { check, checks }
}

/** Saves the configuration of a document, unless the document only names a stored one. */
export function useSaveConfiguration() {
  const client = useClient()
  const notify = useNotify()
  return useMutation({
    mutationFn: async ({ body: { config, namespace = "default" } }: LaunchDocument) => {
      if (typeof config !== "string") await client.evaluation.configs.create({ ...config, namespace })
    },
    onSuccess: () => notify("Saved the configuration"),
  })
}
