import { isObject } from "@assay/json"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { cellText } from "../rows/cell-text.ts"
import type { PreviewedFile } from "./use-file-start.ts"

/** Rows and columns of a preview. The page of rows shows all of them. */
const MAX_ROWS = 20
const MAX_COLUMNS = 20

/** Shows the first rows of a file, such as one of Parquet, as the server reads them. */
export function RowsPreview({ workspace, name, file: { path, etag } }: PreviewedFile): ReactElement {
  const client = useClient()
  const { data, error, refetch } = useQuery({
    queryKey: ["files", workspace, name, "first-rows", path, etag],
    queryFn: ({ signal }) => client.rows.page(workspace, name, { path, limit: MAX_ROWS }, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} again={() => void refetch()} />
  if (data === undefined) return <Loading />
  const rows = data.data
  if (rows.length === 0) return <p className="soft">The file has no rows.</p>
  const names = [...new Set(rows.flatMap(({ row }) => (isObject(row) ? Object.keys(row) : [])))].slice(0, MAX_COLUMNS)
  return (
    <div className="table-scroll first-rows">
      <table>
        <thead>
          <tr>
            <th className="end">#</th>
            {names.length === 0 ? <th>Row</th> : names.map((column) => <th key={column}>{column}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row_index, row }) => (
            <tr key={row_index}>
              <td className="end soft">{row_index}</td>
              {names.length === 0 ? <td>{cellText(row)}</td> : null}
              {names.map((column) => (
                <td key={column}>{cellText(isObject(row) ? row[column] : undefined)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
