import { formatBytes, formatCount, formatInteger } from "@assay/reports"
import type { Fileset } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { FilterBox } from "../../../table/filter-box.tsx"
import { useHeldRows } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { fileColumns } from "./file-columns.tsx"
import { sortEntries } from "./sort-entries.ts"
import { UploadArea } from "./upload-area.tsx"
import { entriesBelow, MAX_LISTED, useFiles } from "./use-file-tree.ts"

const ROW_FILE = /\.(?:jsonl|ndjson|json|csv|tsv|parquet)(?:\.(?:gz|zst))?$/iu

/** Returns whether the rows of a file can be shown. */
export function hasRows(path: string): boolean {
  return ROW_FILE.test(path)
}

/** Shows the files of a fileset folder by folder, and takes new ones. */
export function FilesTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name, storage } = fileset
  const client = useClient()
  const canWrite = useRights().mayEdit(workspace) && (storage.type === "local" || storage.type === "objstore")
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [search, update] = useTableSearch()
  const [folder = "", setFolder] = useSearchValue("folder")
  const { data, error, isPending } = useFiles(workspace, name)
  const { q, sort } = search
  const entries = useMemo(() => {
    const files = data?.files ?? []
    const matching = q === undefined ? files : files.filter(({ path }) => path.toLowerCase().includes(q.toLowerCase()))
    const listed =
      q === undefined
        ? entriesBelow(files, folder)
        : matching.map((file) => ({ kind: "file" as const, name: file.path, path: file.path, file }))
    return sortEntries(listed, sort)
  }, [data, folder, q, sort])
  const rows = useHeldRows(entries, { isLoading: isPending, error: error ?? undefined })
  const columns = fileColumns({
    canWrite,
    remove: async (path) => {
      await client.files.remove(workspace, name, path)
      await queries.invalidateQueries({ queryKey: ["files", workspace, name] })
    },
  })
  const total = data?.files.reduce((sum, { size }) => sum + size, 0) ?? 0
  return (
    <>
      {canWrite ? <UploadArea workspace={workspace} name={name} folder={folder} /> : null}
      {data === undefined || data.files.length === 0 ? null : (
        <p className="soft folders">
          <FolderLinks folder={folder} root={name} onOpen={setFolder} />
          <span className="gap" />
          {formatCount(data.files.length, "file")}, {formatBytes(total)}
          {data.isWhole ? "" : ` (the first ${formatInteger(MAX_LISTED)} are shown)`}
        </p>
      )}
      <DataTable
        label="Files"
        columns={columns}
        rowKey={({ path }) => path}
        rows={rows}
        search={search}
        onSearch={update}
        onOpen={(entry) => {
          if (entry.kind === "folder") setFolder(entry.path)
          else if (hasRows(entry.path)) {
            void navigate({ to: "/rows/$workspace/$name", params: { workspace, name }, search: { path: entry.path } })
          } else open(entry.file.file_url, "_blank", "noopener")
        }}
        filter={
          <FilterBox
            label="Find files"
            placeholder="Part of a path"
            value={q}
            onChange={(text) => update({ q: text, at: undefined })}
          />
        }
        empty={
          q === undefined ? (
            <EmptyState title="No files yet" command={`assay push ./some-folder ${workspace}/${name}`} />
          ) : (
            <EmptyState title={`No path contains '${q}'`} />
          )
        }
      />
    </>
  )
}

interface FolderLinksProps {
  readonly folder: string
  readonly root: string
  readonly onOpen: (folder: string | undefined) => void
}

function FolderLinks({ folder, root, onOpen }: FolderLinksProps): ReactElement {
  const parts = folder.split("/").filter((part) => part !== "")
  return (
    <span className="path">
      <Link to="." search={{ tab: "files" }} onClick={() => onOpen(undefined)}>
        {root}
      </Link>
      {parts.map((part, place) => {
        const path = `${parts.slice(0, place + 1).join("/")}/`
        return (
          <span key={path}>
            {" / "}
            <Link to="." search={{ tab: "files", folder: path }}>
              {part}
            </Link>
          </span>
        )
      })}
    </span>
  )
}
