import { useId, type ReactElement } from "react"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { DatasetOptions } from "../../../components/fields/dataset-options.tsx"
import { TextField, type TextFieldProps } from "../../../components/fields/text-field.tsx"
import { METRICS, type FormMetric, type LaunchForm } from "./launch-form.ts"

export interface LaunchFormFieldsProps {
  readonly form: LaunchForm
  readonly onChange: (form: LaunchForm) => void
}

/** Renders the fields of a launch. The definition beside them has everything else. */
export function LaunchFormFields(props: LaunchFormFieldsProps): ReactElement {
  return (
    <form className="card launch-form" onSubmit={(event) => event.preventDefault()}>
      <SubjectFields {...props} />
      <RowFields {...props} />
      <ScoreFields {...props} />
      <fieldset>
        <legend>The job</legend>
        <FormField {...props} name="workspace" label="Workspace" />
        <FormField {...props} name="description" label="Description" />
        <FormField {...props} name="limit" label="Rows at most" hint="Empty: all rows" inputMode="numeric" />
        <FormField {...props} name="parallelism" label="Requests in flight" hint="Empty: 8" inputMode="numeric" />
      </fieldset>
    </form>
  )
}

/** Renders the choice of what is evaluated, and the endpoint of a model. */
function SubjectFields(props: LaunchFormFieldsProps): ReactElement {
  const { form, onChange } = props
  return (
    <fieldset>
      <legend>What is evaluated</legend>
      {(["model", "outputs"] as const).map((kind) => (
        <label key={kind} className="choice">
          <input type="radio" name="kind" checked={form.kind === kind} onChange={() => onChange({ ...form, kind })} />
          {kind === "model" ? "A model that is asked" : "Outputs that are in the rows already"}
        </label>
      ))}
      {form.kind === "outputs" ? null : (
        <>
          <FormField {...props} name="url" label="Address of the endpoint" />
          <FormField {...props} name="model" label="Model" />
          <FormField
            {...props}
            name="secret"
            label="Secret with the key"
            hint="Its name, as workspace/name. Empty: no key is sent."
          />
        </>
      )}
    </fieldset>
  )
}

/** Renders the dataset, and the prompt that is made of each of its rows. */
function RowFields(props: LaunchFormFieldsProps): ReactElement {
  const { form, onChange } = props
  const list = useId()
  return (
    <fieldset>
      <legend>Over which rows</legend>
      <FormField
        {...props}
        name="dataset"
        label="Dataset"
        hint="workspace/fileset, and #path for one file"
        list={list}
      />
      <DatasetOptions id={list} />
      {form.kind === "outputs" ? null : (
        <label className="field">
          Prompt
          <textarea
            rows={3}
            value={form.prompt}
            onChange={({ target }) => onChange({ ...form, prompt: target.value })}
          />
          <small>A template: {"{{ item.question }}"} is the field of the row.</small>
        </label>
      )}
    </fieldset>
  )
}

/** Renders the expected answer and the metrics. */
function ScoreFields(props: LaunchFormFieldsProps): ReactElement {
  const { form, onChange } = props
  const without = (metric: FormMetric) => form.metrics.filter((one) => one !== metric)
  return (
    <fieldset>
      <legend>How answers are scored</legend>
      <FormField {...props} name="reference" label="Field with the expected answer" />
      {(Object.keys(METRICS) as FormMetric[]).map((metric) => (
        <CheckField
          key={metric}
          isChecked={form.metrics.includes(metric)}
          onChange={(isOn) => onChange({ ...form, metrics: [...without(metric), ...(isOn ? [metric] : [])] })}
        >
          {METRICS[metric]}
        </CheckField>
      ))}
    </fieldset>
  )
}

type TextKey = { [Key in keyof LaunchForm]: LaunchForm[Key] extends string ? Key : never }[keyof LaunchForm]

interface FormFieldProps extends LaunchFormFieldsProps, Pick<TextFieldProps, "label" | "hint" | "inputMode" | "list"> {
  /** The field of the form that is shown. */
  readonly name: Exclude<TextKey, "kind">
}

function FormField({ form, onChange, name, ...field }: FormFieldProps): ReactElement {
  return <TextField {...field} value={form[name]} onChange={(value) => onChange({ ...form, [name]: value })} />
}
