import type { ReactElement } from "react"
import { FilterBox, type FilterBoxProps } from "./filter-box.tsx"
import type { TableSearch } from "./table-search.ts"

export interface TextFilterProps extends Pick<FilterBoxProps, "label" | "placeholder"> {
  readonly search: TableSearch
  readonly onSearch: (change: TableSearch) => void
}

/** Renders the text that the rows of a table contain. The address has it; another text chooses no row. */
export function TextFilter({ search: { q }, onSearch, ...more }: TextFilterProps): ReactElement {
  return <FilterBox {...more} value={q} onChange={(text) => onSearch({ q: text, at: undefined })} />
}
