import { TemplateFailure } from "../../faults/template-fault.ts"
import { isJinjaFilter, isJinjaTest } from "../../syntax/engine-gaps.ts"
import { type CallArguments, type PythonValue, withoutMarkup } from "../values/python-value.ts"
import type { Filter, FilterContext } from "./filter.ts"
import { toJson } from "./json-filter.ts"
import { LIST_FILTERS } from "./list-filters.ts"
import { SELECT_FILTERS } from "./select-filters.ts"
import { TESTS } from "./tests.ts"
import { TEXT_FILTERS } from "./text-filters.ts"
import { VALUE_FILTERS } from "./value-filters.ts"

const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ...TEXT_FILTERS,
  ...LIST_FILTERS,
  ...SELECT_FILTERS,
  ...VALUE_FILTERS,
  ["tojson", toJson] as const,
])

/** The filters for which markup is not just a text. */
const KEEP_MARKUP = new Set(["d", "default", "e", "escape"])

function plainArguments({ positional, named }: CallArguments): CallArguments {
  return { positional: positional.map(withoutMarkup), named }
}

const CONTEXT: FilterContext = { filter: applyFilter, test: applyTest }

/** Applies a filter by name. @throws TemplateFailure for an unknown filter, and what the filter throws */
export function applyFilter(name: string, value: PythonValue, args: CallArguments): PythonValue {
  const filter = FILTERS.get(name)
  if (filter !== undefined) {
    return filter(KEEP_MARKUP.has(name) ? value : withoutMarkup(value), plainArguments(args), CONTEXT)
  }
  throw new TemplateFailure(`can't be rendered: Unknown filter: ${name}`, isJinjaFilter(name))
}

/** Applies a test by name. @throws TemplateFailure for an unknown test, and what the test throws */
export function applyTest(name: string, value: PythonValue, args: CallArguments): boolean {
  const test = TESTS.get(name)
  if (test !== undefined) return test(withoutMarkup(value), plainArguments(args), FILTERS)
  throw new TemplateFailure(`can't be rendered: Unknown test: ${name}`, isJinjaTest(name))
}
