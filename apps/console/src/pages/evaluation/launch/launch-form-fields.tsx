import { useId, type ReactElement } from "react"
import { DatasetOptions } from "../../../components/fields/dataset-options.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { METRICS, type FormMetric, type LaunchForm } from "./launch-form.ts"

export interface LaunchFormFieldsProps {
  readonly form: LaunchForm
  readonly onChange: (form: LaunchForm) => void
}

type TextKey = { [Key in keyof LaunchForm]: LaunchForm[Key] extends string ? Key : never }[keyof LaunchForm]

/** Renders the fields of a launch. What they can't say is written into the definition beside them. */
export function LaunchFormFields({ form, onChange }: LaunchFormFieldsProps): ReactElement {
  const list = useId()
  const input = (key: Exclude<TextKey, "kind">, label: string, hint?: string, more: object = {}) => (
    <TextField
      {...more}
      label={label}
      hint={hint}
      value={form[key]}
      onChange={(value) => onChange({ ...form, [key]: value })}
    />
  )
  const toggle = (metric: FormMetric) => {
    const metrics = form.metrics.includes(metric)
      ? form.metrics.filter((one) => one !== metric)
      : [...form.metrics, metric]
    onChange({ ...form, metrics })
  }
  return (
    <form className="card launch-form" onSubmit={(event) => event.preventDefault()}>
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
            {input("url", "Address of the endpoint")}
            {input("model", "Model")}
            {input("secret", "Secret with the key", "Its name, as workspace/name. Empty: no key is sent.")}
          </>
        )}
      </fieldset>
      <fieldset>
        <legend>Over which rows</legend>
        {input("dataset", "Dataset", "workspace/fileset, and #path for one file", { list })}
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
      <fieldset>
        <legend>How answers are scored</legend>
        {input("reference", "Field with the expected answer")}
        {(Object.keys(METRICS) as FormMetric[]).map((metric) => (
          <label key={metric} className="choice">
            <input type="checkbox" checked={form.metrics.includes(metric)} onChange={() => toggle(metric)} />
            {METRICS[metric]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>The job</legend>
        {input("workspace", "Workspace")}
        {input("description", "Description")}
        {input("limit", "Rows at most", "Empty: all rows", { inputMode: "numeric" })}
        {input("parallelism", "Requests in flight", "Empty: 8", { inputMode: "numeric" })}
      </fieldset>
    </form>
  )
}
