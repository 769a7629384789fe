import type { Fileset, FilesetSort } from "@assay/schemas"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { messageOf } from "@assay/schemas/errors"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { DropZone } from "../../../components/drop-zone.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { filesOfDrop, type DroppedFile } from "../fileset/dropped-files.ts"
import "./filesets.css"
import { FILESET_COLUMNS } from "./fileset-columns.tsx"
import { FilesetFilter, filterFault } from "./fileset-filter.tsx"
import { NewFileset } from "./new-fileset.tsx"

/** Names that jobs give to their inputs and results. */
const OF_JOBS = '-name~"evaluation-eval-" AND -name~"eval-inputs-"'

const USAGE = ["usage"] as const

/** Lists filesets, with the text filter of the API. Files that are dropped on it become a fileset. */
export function FilesetsPage(): ReactElement {
  const { mayEdit } = useRights()
  const notify = useNotify()
  const [dropped, setDropped] = useState<readonly DroppedFile[]>()
  const drop = async (data: DataTransfer) => {
    try {
      setDropped(await filesOfDrop(data, ""))
    } catch (error) {
      notify(messageOf(error))
    }
  }
  const page = (
    <>
      <PageHeader
        help="start/first-fileset"
        title="Filesets"
        actions={mayEdit() ? <NewFileset dropped={dropped} /> : undefined}
      >
        Named sets of files. Their bytes stay where they are.
      </PageHeader>
      <FilesetsTable />
    </>
  )
  if (!mayEdit()) return page
  return (
    <DropZone hint="Create a fileset of these files" onDrop={(data) => void drop(data)}>
      {page}
    </DropZone>
  )
}

function FilesetsTable(): ReactElement {
  const client = useClient()
  const navigate = useNavigate()
  const [search, update] = useTableSearch()
  const [jobs, setJobs] = useSearchValue("jobs")
  const { sort = "-created_at", q } = search
  const isReadable = filterFault(q) === undefined
  const terms = [...(isReadable && q !== undefined ? [`(${q})`] : []), ...(jobs === "all" ? [] : [OF_JOBS])]
  const rows = useRecordRows<Fileset>({
    queryKey: ["filesets", "-", sort, ...terms],
    fetchRecords: (page, call) => {
      const filter = terms.length === 0 ? {} : { filter: terms.join(" AND ") }
      return client.filesets.page("-", { ...page, ...filter, sort: sort as FilesetSort, include: USAGE }, call)
    },
  })
  return (
    <DataTable
      label="Filesets"
      counted={["fileset", "filesets"]}
      columns={FILESET_COLUMNS}
      rows={rows}
      search={{ ...search, sort }}
      onSearch={update}
      onOpen={({ workspace, name }) => void navigate({ to: "/filesets/$workspace/$name", params: { workspace, name } })}
      filter={
        <>
          <FilesetFilter value={q} onChange={(text) => update({ q: text, at: undefined })} />
          <CheckField isChecked={jobs === "all"} onChange={(isOn) => setJobs(isOn ? "all" : undefined)}>
            Inputs and results of jobs
          </CheckField>
        </>
      }
      empty={<NoFilesets onShowAll={q === undefined ? undefined : () => update({ q: undefined })} />}
    />
  )
}

/** Shows that there are no filesets or, with `onShowAll`, that no fileset matches the filter. */
function NoFilesets({ onShowAll }: { readonly onShowAll: (() => void) | undefined }): ReactElement {
  return onShowAll === undefined ? (
    <EmptyState title="No filesets yet" command="assay push ./some-folder default/first">
      <p>Create one here and drop files on its page, or push a folder from a terminal:</p>
    </EmptyState>
  ) : (
    <EmptyState title="No fileset matches the filter">
      <p>
        <button type="button" onClick={onShowAll}>
          Show all filesets
        </button>
      </p>
    </EmptyState>
  )
}
