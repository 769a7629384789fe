import type { GuardrailConfiguration, LaunchBody } from "@assay/schemas"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { DatasetOptions } from "../../../components/fields/dataset-options.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { FailedChecks } from "../../../components/failures/failed-checks.tsx"
import { TextField, type TextFieldProps } from "../../../components/fields/text-field.tsx"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import { followLaunched } from "../../evaluation/ends/follow-end.ts"
import { bodyOfCalibration, FIRST_CALIBRATION, needsModel, type CalibrationForm } from "./calibration-form.ts"

/** The workspace of the guardrails that every server has. */
const BUILT_IN = "system"
/** Maximum number of guardrails that are offered of a workspace. */
const OFFERED = 100

const DATASET_HINT = "workspace/fileset, and #path for one file. Rows have prompt and label, which is safe or unsafe"

/** Renders the form that calibrates judges as a job of the server. */
export function NewCalibration(): ReactElement | null {
  const [workspace] = useWorkspace()
  const mayEdit = useRights().mayEdit(workspace)
  const [form, setForm] = useState<CalibrationForm>(FIRST_CALIBRATION)
  const { data: guardrails = [], error } = useGuardrailsOf(workspace)
  const open = new Set(guardrails.filter(needsModel).map(nameOf))
  const launch = useLaunchCalibration(() => bodyOfCalibration(form, { workspace, open }))
  if (!mayEdit) return null
  const field = { form, onChange: setForm }
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
          <JudgeChoice {...field} names={guardrails.map(nameOf)} />
          {form.judges.some((judge) => open.has(judge)) ? <ModelFields {...field} /> : null}
        </fieldset>
        <PromptFields {...field} />
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

function nameOf({ workspace, name }: Pick<GuardrailConfiguration, "workspace" | "name">): string {
  return `${workspace}/${name}`
}

/** Reads the guardrails of a workspace, and those that every server has. */
function useGuardrailsOf(workspace: string) {
  const client = useClient()
  return useQuery({
    queryKey: ["guardrails", "judges", workspace],
    queryFn: async ({ signal }) => {
      const workspaces = [...new Set([workspace, BUILT_IN])]
      const pages = await Promise.all(
        workspaces.map((one) => client.guardrails.page(one, { page_size: OFFERED }, { signal })),
      )
      return pages.flatMap(({ data }) => data)
    },
  })
}

/** Launches the job and opens its page. */
function useLaunchCalibration(body: () => LaunchBody) {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => client.evaluation.jobs.launch(body()),
    onSuccess: async ({ id }) => {
      followLaunched(id)
      await queries.invalidateQueries({ queryKey: ["jobs"] })
      await navigate({ to: "/jobs/$id", params: { id } })
    },
  })
}

interface CalibrationFieldsProps {
  readonly form: CalibrationForm
  readonly onChange: (form: CalibrationForm) => void
}

interface JudgeChoiceProps extends CalibrationFieldsProps {
  /** The guardrails that can be judges, as `workspace/name`. */
  readonly names: readonly string[]
}

function JudgeChoice({ form, onChange, names }: JudgeChoiceProps): ReactElement {
  const choose = (judge: string, isChosen: boolean) => {
    const others = form.judges.filter((one) => one !== judge)
    onChange({ ...form, judges: isChosen ? [...others, judge] : others })
  }
  return (
    <>
      {names.map((name) => (
        <CheckField key={name} isChecked={form.judges.includes(name)} onChange={(isChosen) => choose(name, isChosen)}>
          <span dir="auto">{name}</span>
        </CheckField>
      ))}
    </>
  )
}

/** Renders the endpoint and the models of guardrails that name none. */
function ModelFields(props: CalibrationFieldsProps): ReactElement {
  return (
    <>
      <FormField {...props} name="url" label="Endpoint" type="url" required placeholder="https://host/v1" />
      <FormField {...props} name="models" label="Models" hint="Separated by commas: each is a judge" required />
      <FormField
        {...props}
        name="secret"
        label="Secret with the key"
        hint="Its name; empty if the endpoint needs no key"
      />
    </>
  )
}

/** Renders the labelled prompts, and the limits that the judges have to keep on them. */
function PromptFields(props: CalibrationFieldsProps): ReactElement {
  const list = useId()
  const limit = { hint: "Empty: no limit", type: "number", min: 0, max: 100, step: "any" }
  return (
    <fieldset>
      <legend>Labelled prompts</legend>
      <FormField {...props} name="dataset" label="Dataset" hint={DATASET_HINT} list={list} required />
      <DatasetOptions id={list} />
      <FormField {...props} {...limit} name="maxFalseBlock" label="Safe prompts blocked at most (%)" />
      <FormField {...props} {...limit} name="maxMiss" label="Unsafe prompts missed at most (%)" />
    </fieldset>
  )
}

interface FormFieldProps extends CalibrationFieldsProps, Omit<TextFieldProps, "form" | "name" | "value" | "onChange"> {
  /** The field of the form that is shown. */
  readonly name: Exclude<keyof CalibrationForm, "judges">
}

function FormField({ form, onChange, name, ...field }: FormFieldProps): ReactElement {
  return <TextField {...field} value={form[name]} onChange={(value) => onChange({ ...form, [name]: value })} />
}
