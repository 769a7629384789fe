import { useState, type ReactElement } from "react"
import { Menu } from "../../../components/menu.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { RowFilterChips } from "../../data/rows/row-filters.tsx"
import { useRowFilters } from "../../data/rows/use-row-filters.ts"
import type { ItemField } from "./item-columns.ts"

const SHOWN = {
  all: "all rows",
  failing: "failing rows",
  failed: "rows with an error",
  answered: "answered rows",
} as const

export interface ScoredRowFiltersProps {
  readonly tasks: readonly string[]
  readonly scores: readonly string[]
  readonly fields: readonly ItemField[]
  /** The order, if no headings choose it. */
  readonly sort: string | undefined
}

/** Renders the filters of the rows: a text, a task, which rows, and conditions on any column. */
export function ScoredRowFilters({ tasks, scores, fields, sort }: ScoredRowFiltersProps): ReactElement {
  const [search, update] = useTableSearch()
  const [task] = useSearchValue("task")
  const [shown] = useSearchValue("shown")
  const [condition] = useSearchValue("condition")
  const { terms, remove } = useRowFilters()
  // A chosen row is a position among the rows that are shown.
  const choose = (choice: Readonly<Record<string, string | undefined>>) => update({ ...choice, at: undefined })
  return (
    <>
      <TextFilter label="Find rows" placeholder="Text in the item or the answer" search={search} onSearch={update} />
      {tasks.length > 1 ? (
        <ChoiceFilter
          label="Task"
          none="all tasks"
          choices={namedChoices(tasks)}
          value={task}
          onChoose={(next) => choose({ task: next })}
        />
      ) : null}
      <ChoiceFilter
        label="Which rows"
        choices={SHOWN}
        value={shown ?? "all"}
        onChoose={(next) => choose({ shown: next === "all" ? undefined : next })}
      />
      {sort === undefined ? null : (
        <ChoiceFilter
          label="Order"
          choices={ordersOf(scores, fields)}
          value={sort}
          onChoose={(next) => choose({ sort: next })}
        />
      )}
      <ColumnFilterMenu scores={scores} fields={fields} />
      {condition === undefined ? null : (
        <button type="button" className="quiet chip" onClick={() => choose({ condition: undefined })}>
          {condition} ✕
        </button>
      )}
      <RowFilterChips terms={terms} remove={remove} />
    </>
  )
}

/** Returns the orders that headings give on a wide page: up and down by each column. */
function ordersOf(scores: readonly string[], fields: readonly ItemField[]): Readonly<Record<string, string>> {
  const columns = [
    ...scores.map((name) => [`score:${name}`, name] as const),
    ...fields.map(({ name }) => [`item:${name}`, name] as const),
    ["latency", "latency"] as const,
  ]
  const both = columns.flatMap(([field, name]) => [
    [field, `${name} ↑`],
    [`-${field}`, `${name} ↓`],
  ])
  return Object.fromEntries([["index", "order of the dataset"], ...both])
}

type Kind = "number" | "text" | "field" | "code"
const OPERATORS: Readonly<Record<Kind, readonly (readonly [string, string])[]>> = {
  number: [
    ["$lt", "<"],
    ["$lte", "≤"],
    ["$eq", "="],
    ["$gte", "≥"],
    ["$gt", ">"],
  ],
  text: [["$like", "contains"]],
  field: [
    ["$like", "contains"],
    ["$eq", "is"],
  ],
  code: [
    ["$eq", "is"],
    ["$nin", "is not"],
  ],
}

/** Renders the form that adds a filter of one column. */
function ColumnFilterMenu({ scores, fields }: Pick<ScoredRowFiltersProps, "scores" | "fields">): ReactElement {
  const { add } = useRowFilters()
  const [field, setField] = useState("output")
  const [operator, setOperator] = useState("$like")
  const [value, setValue] = useState("")
  const kind = kindOf(field, fields)
  const operators = OPERATORS[kind]
  const used = operators.some(([one]) => one === operator) ? operator : (operators[0]?.[0] ?? "$eq")
  const text = value.trim()
  const isComplete = kind === "number" ? text !== "" && Number.isFinite(Number(text)) : text !== ""
  const choices: (readonly [string, string])[] = [
    ["output", "Answer"],
    ...scores.map((name) => [`score:${name}`, name] as const),
    // The name of a field with brackets cannot be written into an address.
    ...fields.filter(({ name }) => !/[[\]]/u.test(name)).map(({ name }) => [`item:${name}`, name] as const),
    ["latency", "Latency in ms"],
    ["condition", "Condition"],
    ["verdict", "Verdict of the guardrail"],
    ["error", "Error"],
  ]
  return (
    <Menu label="Filter">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isComplete) return
          add({ field, operator: used, value: text })
          setValue("")
        }}
      >
        <SelectField label="Column" choices={choices} value={field} onChange={setField} />
        <SelectField label="Comparison" choices={operators} value={used} onChange={setOperator} />
        <TextField
          label={kind === "number" ? "Number" : kind === "code" ? "Code, or null for none" : "Text"}
          inputMode={kind === "number" ? "decimal" : "text"}
          value={value}
          onChange={setValue}
        />
        <button type="submit" disabled={!isComplete}>
          Add the filter
        </button>
      </form>
    </Menu>
  )
}

function kindOf(field: string, fields: readonly ItemField[]): Kind {
  if (field === "latency" || field.startsWith("score:")) return "number"
  if (field === "output") return "text"
  if (!field.startsWith("item:")) return "code"
  return fields.some(({ name, isNumber }) => isNumber && field === `item:${name}`) ? "number" : "field"
}
