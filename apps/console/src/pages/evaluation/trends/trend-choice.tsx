import type { JobTrend } from "@assay/schemas"
import type { ReactElement } from "react"
import { SelectField } from "../../../components/fields/select-field.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"

const KINDS = [
  ["dataset", "datasets", "Dataset"],
  ["name", "names", "Description"],
  ["config", "configs", "Configuration"],
  ["baseline", "baselines", "Baseline"],
] as const

/** Renders the choice of jobs: by a dataset, a description, a stored configuration or a baseline. Kinds that a workspace does not have are left out. */
export function TrendChoice({ choices }: Pick<JobTrend, "choices">): ReactElement {
  return (
    <section className="card pickers" aria-label="Which jobs">
      {KINDS.map(([key, list, label]) => (
        <OneChoice key={key} name={key} label={label} values={choices[list]} />
      ))}
    </section>
  )
}

interface OneChoiceProps {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
}

function OneChoice({ name, label, values }: OneChoiceProps): ReactElement | null {
  const [value, update] = useSearchValue(name)
  if (values.length === 0 && value === undefined) return null
  const offered = value === undefined || values.includes(value) ? values : [value, ...values]
  return (
    <SelectField
      label={label}
      choices={[["", "all"], ...offered.map((one) => [one, one] as const)]}
      value={value ?? ""}
      onChange={(next) => update(next === "" ? undefined : next)}
    />
  )
}
