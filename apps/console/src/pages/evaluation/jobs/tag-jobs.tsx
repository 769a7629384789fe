import { formatCount } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { tagsOf, withTags } from "./job-tags.ts"

const MAX_TAG = 100

/** Renders the button that gives tags to jobs, and takes them away. */
export function TagJobs({ jobs }: { readonly jobs: readonly EvaluationJob[] }): ReactElement {
  const { evaluation } = useClient()
  const queries = useQueryClient()
  const [tag, setTag] = useState("")
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const present = [...new Set(jobs.flatMap(tagsOf))].toSorted()
  const added = tag.trim()
  const save = async () => {
    try {
      for (const job of jobs) {
        const before = tagsOf(job)
        const after = [...before.filter((one) => !removed.has(one)), ...(added === "" ? [] : [added])]
        if ([...new Set(after)].join("\n") === before.join("\n")) continue
        await evaluation.jobs.update(job.id, { custom_fields: withTags(job, after) })
      }
    } finally {
      await queries.invalidateQueries({ queryKey: ["jobs"] })
    }
  }
  return (
    <FormDialog
      help="guides/console#tables"
      label="Tag"
      title={`Tags of ${formatCount(jobs.length, "job")}`}
      send="Save"
      isReady={added !== "" || removed.size > 0}
      onOpen={() => {
        setTag("")
        setRemoved(new Set())
      }}
      onSend={save}
    >
      <TextField label="Add a tag" value={tag} onChange={setTag} maxLength={MAX_TAG} autoComplete="off" dir="auto" />
      {present.map((one) => (
        <CheckField
          key={one}
          isChecked={!removed.has(one)}
          onChange={(isKept) => {
            const next = new Set(removed)
            if (isKept) next.delete(one)
            else next.add(one)
            setRemoved(next)
          }}
        >
          <span dir="auto">{one}</span>
        </CheckField>
      ))}
    </FormDialog>
  )
}
