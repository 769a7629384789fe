import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { DatasetOptions } from "../../../components/fields/dataset-options.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { FailedChecks } from "../../../components/failures/failed-checks.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import { bodyOfCalibration, FIRST_CALIBRATION, needsModel, type CalibrationForm } from "./calibration-form.ts"

/** The workspace of the guardrails that every server has. */
const BUILT_IN = "system"
/** Maximum number of guardrails that are offered of a workspace. */
const OFFERED = 100

const DATASET_HINT = "workspace/fileset, and #path for one file. Rows have prompt and label, which is safe or unsafe"

type TextKey = Exclude<keyof CalibrationForm, "judges">

/** Renders the form that calibrates judges as a job of the server. */
export function NewCalibration(): ReactElement | null {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [workspace] = useWorkspace()
  const mayEdit = useRights().mayEdit(workspace)
  const [form, setForm] = useState<CalibrationForm>(FIRST_CALIBRATION)
  const list = useId()
  const { data: guardrails = [], error } = useQuery({
    queryKey: ["guardrails", "judges", workspace],
    queryFn: async ({ signal }) => {
      const workspaces = [...new Set([workspace, BUILT_IN])]
      const pages = await Promise.all(
        workspaces.map((one) => client.guardrails.page(one, { page_size: OFFERED }, { signal })),
      )
      return pages.flatMap(({ data }) => data)
    },
  })
  const open = new Set(guardrails.filter(needsModel).map((one) => `${one.workspace}/${one.name}`))
  const asksForModel = form.judges.some((judge) => open.has(judge))
  const launch = useMutation({
    mutationFn: () => client.evaluation.jobs.launch(bodyOfCalibration(form, { workspace, open })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["jobs"] })
      await navigate({ to: "/jobs/$id", params: { id } })
    },
  })
  if (!mayEdit) return null
  const toggle = (judge: string) =>
    setForm({
      ...form,
      judges: form.judges.includes(judge) ? form.judges.filter((one) => one !== judge) : [...form.judges, judge],
    })
  const field = (key: TextKey, label: string, hint?: string, more: object = {}) => (
    <TextField
      {...more}
      label={label}
      hint={hint}
      value={form[key]}
      onChange={(value) => setForm({ ...form, [key]: value })}
    />
  )
  const percent = { type: "number", min: 0, max: 100, step: "any" }
  return (
    <form
      className="card new-calibration"
      aria-label="Calibrate on the server"
      onSubmit={(event) => {
        event.preventDefault()
        launch.mutate()
      }}
    >
      <h2>Calibrate on the server</h2>
      <p className="soft">The job goes on after this page is closed, and its report stays with its results.</p>
      <div className="columns">
        <fieldset>
          <legend>Judges</legend>
          <WorkspaceSelect />
          {error === null ? null : <ErrorCard error={error} />}
          {guardrails.map(({ workspace: of, name }) => (
            <label key={`${of}/${name}`} className="choice">
              <input
                type="checkbox"
                checked={form.judges.includes(`${of}/${name}`)}
                onChange={() => toggle(`${of}/${name}`)}
              />
              <span dir="auto">
                {of}/{name}
              </span>
            </label>
          ))}
          {asksForModel ? (
            <>
              {field("url", "Endpoint", undefined, { type: "url", required: true, placeholder: "https://host/v1" })}
              {field("models", "Models", "Separated by commas: each is a judge", { required: true })}
              {field("secret", "Secret with the key", "Its name; empty if the endpoint needs no key")}
            </>
          ) : null}
        </fieldset>
        <fieldset>
          <legend>Labelled prompts</legend>
          {field("dataset", "Dataset", DATASET_HINT, { list, required: true })}
          <DatasetOptions id={list} />
          {field("maxFalseBlock", "Safe prompts blocked at most (%)", "Empty: no limit", percent)}
          {field("maxMiss", "Unsafe prompts missed at most (%)", "Empty: no limit", percent)}
        </fieldset>
      </div>
      {launch.error === null ? null : <FailedChecks error={launch.error} />}
      <p className="actions">
        <button type="submit" className="primary" disabled={form.judges.length === 0 || launch.isPending}>
          {launch.isPending ? "Checking …" : "Check and launch"}
        </button>
      </p>
    </form>
  )
}
