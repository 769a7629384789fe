import type { ReactElement } from "react"
import { Menu } from "../../../components/menu.tsx"
import type { FileOfRows, RowQuestion } from "./use-searched-rows.ts"

export interface DownloadMenuProps {
  readonly file: FileOfRows
  readonly question: RowQuestion | undefined
  /** The columns that are shown. Undefined: all of the file. */
  readonly columns: readonly string[] | undefined
}

const FORMATS = [
  ["csv", "As CSV"],
  ["jsonl", "As JSON lines"],
] as const

/** Renders the links that download the rows and columns that are shown, all of them. */
export function DownloadMenu({ file: { workspace, name, path }, question, columns }: DownloadMenuProps): ReactElement {
  const address = (format: string) => {
    const query = new URLSearchParams({ path: path ?? "", format })
    for (const [field, conditions] of Object.entries(question?.filter ?? {}))
      for (const [operator, value] of Object.entries(conditions)) query.append(`filter[${field}][${operator}]`, value)
    if (question?.invalid === true) query.set("invalid", "true")
    if (question?.issue !== undefined) query.set("issue", question.issue)
    // A comma separates the names of columns.
    if (columns !== undefined && !columns.some((column) => column.includes(",")))
      query.set("columns", columns.join(","))
    return `/apis/files/v2/workspaces/${encodeURIComponent(workspace)}/filesets/${encodeURIComponent(name)}/rows/export?${query.toString()}`
  }
  return (
    <Menu label="Download">
      {FORMATS.map(([format, words]) => (
        <a key={format} className="button" href={address(format)} download>
          {words}
        </a>
      ))}
    </Menu>
  )
}
