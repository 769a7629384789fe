import type { ReactElement } from "react"
import { isObject } from "@assay/json"
import { useFileForm } from "./file-form.ts"
import { CheckFields } from "./check-fields.tsx"
import { FileField } from "./file-field.tsx"
import { ModelFields } from "./model-fields.tsx"
import { RowFields } from "./row-fields.tsx"
import type { ShownDataset } from "./use-dataset.ts"
import type { SchemaPart } from "../../../../components/code-editor/yaml/schema-at.ts"

export interface LaunchFormProps {
  readonly workspace: string
  readonly dataset: ShownDataset
  /** The schema of one check. */
  readonly checkSchema: SchemaPart | undefined
  /** Whether the text is YAML. If it is not, the form can't change it. */
  readonly isReadable: boolean
  /** Whether the form can be used already. */
  readonly isReady: boolean
}

/** Renders the fields of an evaluation file. Other parts of the file are kept. */
export function LaunchForm({ workspace, dataset, checkSchema, isReadable, isReady }: LaunchFormProps): ReactElement {
  const { value } = useFileForm()
  if (isObject(value) && ("target" in value || "config" in value)) {
    return (
      <div className="card launch-form">
        <h2>The long form</h2>
        <p>
          This file says more than the short form can, so it is changed as text. Completions, faults and the plan work
          as for every file.
        </p>
      </div>
    )
  }
  return (
    <form className="card launch-form" aria-label="Fields of the file" onSubmit={(event) => event.preventDefault()}>
      {isReadable ? null : <p role="status">The text can't be read now. The fields show what it said before.</p>}
      <fieldset className="all" disabled={!isReadable || !isReady}>
        <ModelFields workspace={workspace} />
        <RowFields dataset={dataset} />
        <CheckFields schema={checkSchema} />
        <fieldset>
          <legend>The job</legend>
          <FileField label="Workspace" path={["namespace"]} placeholder="default" />
          <FileField label="Description" path={["description"]} />
          <FileField label="Times each row is asked" path={["repeat"]} kind="number" placeholder="1" />
          <FileField label="Requests in flight" path={["parallel"]} kind="number" placeholder="8" />
          <FileField
            label="Ends at this cost"
            path={["limits", "cost"]}
            kind="number"
            hint="Empty: no limit of the job"
          />
        </fieldset>
      </fieldset>
    </form>
  )
}
