import { formatCount, formatInteger } from "@assay/reports"
import { useNavigate } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { DownloadMenu } from "./download-menu.tsx"
import { IssueTools } from "./issue-tools.tsx"
import { JumpBox } from "./jump-box.tsx"
import { RowFilterField } from "./row-filters.tsx"
import type { RowFilterState } from "./use-row-filters.ts"
import type { FileOfRows, RowQuestion, SearchState } from "./use-searched-rows.ts"

export interface RowToolsProps {
  readonly file: FileOfRows
  /** The files with rows. */
  readonly paths: readonly string[]
  readonly total: number
  /** Undefined: all rows are shown. */
  readonly question: RowQuestion | undefined
  /** How far its search is. */
  readonly searched: SearchState | undefined
  readonly filters: RowFilterState
  /** The columns that are shown. Undefined: all. */
  readonly columns: readonly string[] | undefined
}

/** Renders what chooses the rows and how they are shown: the file, a position, filters, issues, wrapped cells, JSON, downloads. */
export function RowTools({ file, paths, total, question, searched, filters, columns }: RowToolsProps): ReactElement {
  const [, update] = useTableSearch()
  const [wrap, setWrap] = useSearchValue("wrap")
  const [view, setView] = useSearchValue("view")
  return (
    <>
      {paths.length > 1 ? <FileChoice paths={paths} path={file.path} /> : null}
      {question === undefined ? <JumpBox total={total} onJump={(at) => update({ at })} /> : null}
      <RowFilterField {...filters} />
      <IssueTools file={file} isOnlyInvalid={question?.invalid === true} issue={question?.issue} />
      {searched === undefined ? null : <SearchProgress {...searched} />}
      <CheckField isChecked={wrap === "on"} onChange={(isOn) => setWrap(isOn ? "on" : undefined)}>
        Wrap
      </CheckField>
      <CheckField isChecked={view === "json"} onChange={(isOn) => setView(isOn ? "json" : undefined)}>
        JSON
      </CheckField>
      {file.path === undefined ? null : <DownloadMenu file={file} question={question} columns={columns} />}
    </>
  )
}

/** Renders the choice of the file whose rows are shown. */
function FileChoice({ paths, path }: { readonly paths: readonly string[]; readonly path: string | undefined }) {
  const navigate = useNavigate()
  // A row or a column of another file means nothing here.
  const choose = (chosen: string | undefined) =>
    navigate({
      to: ".",
      search: (before: object) => ({ ...before, path: chosen, at: undefined, column: undefined, issue: undefined }),
    })
  return (
    <ChoiceFilter label="File" choices={namedChoices(paths)} value={path} onChoose={(chosen) => void choose(chosen)} />
  )
}

function SearchProgress({ matched, searched, progress, is_complete: isComplete }: SearchState): ReactElement {
  return (
    <span className="soft search-progress" role="status">
      {formatCount(matched, "row")} found in {formatInteger(searched)}
      {isComplete ? "" : `, ${formatInteger(Math.floor(100 * progress))} % searched …`}
    </span>
  )
}
