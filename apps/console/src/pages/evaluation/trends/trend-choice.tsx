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

/** The value in the address for all datasets. Without a value, the page shows the dataset of the newest job. */
export const ALL = "*"

interface TrendChoiceProps extends Pick<JobTrend, "choices"> {
  /** The dataset that is shown. Undefined: all. */
  readonly dataset: string | undefined
}

/** Renders the choice of jobs: by a dataset, a description, a stored configuration or a baseline. Kinds that a workspace does not have are left out. */
export function TrendChoice({ choices, dataset }: TrendChoiceProps): ReactElement | null {
  if (KINDS.every(([key, list]) => choices[list].length === 0 && (key !== "dataset" || dataset === undefined)))
    return null
  return (
    <section className="card pickers" aria-label="Which jobs">
      {KINDS.map(([key, list, label]) => (
        <OneChoice
          key={key}
          name={key}
          label={label}
          values={choices[list]}
          {...(key === "dataset" ? { shown: dataset, all: ALL } : {})}
        />
      ))}
    </section>
  )
}

interface OneChoiceProps {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
  /** The value that is shown if the address has none. */
  readonly shown?: string | undefined
  /** The value in the address for all of them. Default: none. */
  readonly all?: string
}

function OneChoice({ name, label, values, shown, all }: OneChoiceProps): ReactElement | null {
  const [given = shown, update] = useSearchValue(name)
  const value = given === all ? undefined : given
  if (values.length === 0 && value === undefined) return null
  const offered = value === undefined || values.includes(value) ? values : [value, ...values]
  return (
    <SelectField
      label={label}
      choices={[["", "all"], ...offered.map((one) => [one, one] as const)]}
      value={value ?? ""}
      onChange={(next) => update(next === "" ? all : next)}
    />
  )
}
