import { formatCount } from "@assay/reports"
import type { Fileset } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { Beside } from "../../../components/beside.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { useUndo } from "../../../components/use-undo.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { Loading } from "../../../components/loading.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { FilterBox } from "../../../table/filter-box.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { hasRows } from "../preview/preview-kind.ts"
import { fileColumns } from "./file-columns.tsx"
import { refreshFiles } from "./refresh-files.ts"
import { UploadArea } from "./upload-area.tsx"
import { useFileEntries } from "./use-file-entries.ts"

const FilePreview = lazy(async () => ({ default: (await import("../preview/file-preview.tsx")).FilePreview }))

const PREVIEW_WIDTH = { share: 45, of: "file" }

/** Shows the files of a fileset folder by folder, what is in one of them, and takes new ones. */
export function FilesTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name, storage } = fileset
  const canWrite = useRights().mayEdit(workspace) && (storage.type === "local" || storage.type === "objstore")
  const [folder = ""] = useSearchValue("folder")
  const [previewed, preview] = useSearchValue("file")
  const panel =
    previewed === undefined ? null : (
      <Suspense fallback={<Loading />}>
        <FilePreview workspace={workspace} name={name} path={previewed} onClose={() => preview(undefined)} />
      </Suspense>
    )
  const list = (
    <Beside panel={panel} width={PREVIEW_WIDTH}>
      <FilesTable fileset={fileset} canWrite={canWrite} />
    </Beside>
  )
  if (!canWrite) return list
  return (
    <UploadArea key={`${workspace}/${name}`} workspace={workspace} name={name} folder={folder}>
      {list}
    </UploadArea>
  )
}

interface FilesTableProps {
  readonly fileset: Fileset
  readonly canWrite: boolean
}

function FilesTable({ fileset: { workspace, name }, canWrite }: FilesTableProps): ReactElement {
  const [search, update] = useTableSearch()
  const [folder = "", setFolder] = useSearchValue("folder")
  const [previewed, preview] = useSearchValue("file")
  const { q, sort } = search
  const { rows, searched } = useFileEntries(workspace, name, { folder, q, sort })
  const removeFile = useRemoveFile(workspace, name)
  const navigate = useNavigate()
  const remove = async (path: string) => {
    await removeFile(path)
    if (path === previewed) preview(undefined)
  }
  const columns = fileColumns({ canWrite, remove })
  return (
    <>
      {q === undefined ? (
        <FolderLinks folder={folder} root={name} onOpen={setFolder} />
      ) : (
        <p className="soft folders" role="status">
          All folders{searched === undefined ? "" : `: ${formatCount(searched, "file", "files")} searched`}
          {rows.isWhole ? "" : " so far"}
        </p>
      )}
      <DataTable
        label="Files"
        counted={q === undefined ? ["entry", "entries"] : ["file found", "files found"]}
        isGrowing={!rows.isWhole}
        columns={columns}
        rowKey={({ path }) => path}
        rows={rows}
        search={search}
        onSearch={(change) => {
          // An open preview follows the keys.
          const entry = previewed === undefined || change.at === undefined ? undefined : rows.get(change.at)
          const shown = entry?.kind === "file" ? { file: entry.path } : {}
          update({ ...change, ...shown })
        }}
        onOpen={({ kind, path }) => {
          // The second Enter on a file goes on to all of its rows.
          if (kind === "file" && path === previewed && hasRows(path))
            return void navigate({ to: "/rows/$workspace/$name", params: { workspace, name }, search: { path } })
          if (kind === "file") return preview(path)
          update({ at: undefined })
          setFolder(path)
        }}
        keys={{ Escape: () => preview(undefined) }}
        filter={
          <FilterBox
            label="Find files"
            placeholder="Part of a path"
            value={q}
            onChange={(text) => update({ q: text, at: undefined })}
          />
        }
        empty={<NoFiles workspace={workspace} name={name} folder={folder} q={q} />}
      />
    </>
  )
}

interface NoFilesProps {
  readonly workspace: string
  readonly name: string
  readonly folder: string
  readonly q: string | undefined
}

function NoFiles({ workspace, name, folder, q }: NoFilesProps): ReactElement {
  if (q !== undefined) return <EmptyState title={`No path contains '${q}'`} />
  if (folder !== "") return <EmptyState title={`No file is below '${folder}'`} />
  return <EmptyState title="No files yet" command={`assay push ./some-folder ${workspace}/${name}`} />
}

/** Returns the function that deletes a file. The notice can undo it, if the history keeps the file. */
function useRemoveFile(workspace: string, name: string): (path: string) => Promise<void> {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const undoing = useUndo()
  return async (path) => {
    await client.files.remove(workspace, name, path)
    await refreshFiles(queries, workspace, name)
    const { versions } = await client.history.list(workspace, name, { path, limit: 1 }).catch(() => ({ versions: [] }))
    const [last] = versions
    const isKept = last?.path === path && last.is_deleted && last.gone === null
    const restore = async (ended: string) => {
      // The state just before the deletion.
      const revision = new Date(Date.parse(ended) - 1).toISOString()
      await client.history.restore(workspace, name, { revision, path })
      await refreshFiles(queries, workspace, name)
    }
    notify(`Deleted ${path}`, isKept ? undoing(() => restore(last.ended_at), `Restored ${path}`) : undefined)
  }
}

interface FolderLinksProps {
  readonly folder: string
  readonly root: string
  readonly onOpen: (folder: string | undefined) => void
}

/** Renders the way from the root to the open folder; at the root, nothing. */
function FolderLinks({ folder, root, onOpen }: FolderLinksProps): ReactElement | null {
  if (folder === "") return null
  const parts = folder.split("/").filter((part) => part !== "")
  return (
    <p className="soft folders path">
      <Link to="." search={{ tab: "files" }} onClick={() => onOpen(undefined)}>
        {root}
      </Link>
      {parts.map((part, index) => {
        const path = `${parts.slice(0, index + 1).join("/")}/`
        return (
          <span key={path}>
            {" / "}
            <Link to="." search={{ tab: "files", folder: path }}>
              {part}
            </Link>
          </span>
        )
      })}
    </p>
  )
}
