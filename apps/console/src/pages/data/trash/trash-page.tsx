import { formatBytes, formatCount } from "@assay/reports"
import type { TrashEntry } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { nameOf, trashColumns } from "./trash-columns.tsx"

/** Lists the deleted filesets and jobs of a workspace, restores them, and deletes them for good. */
export function TrashPage(): ReactElement {
  const client = useClient()
  const [workspace] = useWorkspace()
  const [search, update] = useTableSearch()
  const mayEdit = useRights().mayEdit(workspace)
  const actions = useTrashActions()
  const rows = useRecordRows<TrashEntry>({
    queryKey: ["filesets", "trash", workspace],
    fetchRecords: (page, call) => client.trash.page(workspace, page, call),
  })
  return (
    <>
      <PageHeader
        help="guides/history#deleted-filesets"
        title="Trash"
        actions={mayEdit && rows.total > 0 ? <EmptyTrash workspace={workspace} /> : null}
      >
        Deleted filesets and jobs, until they are deleted for good. Deleted files are in the history of their fileset.
      </PageHeader>
      <DataTable
        label={`Trash of ${workspace}`}
        counted={["entry", "entries"]}
        columns={useMemo(() => trashColumns(mayEdit ? actions : undefined), [mayEdit, actions])}
        rowKey={({ id }) => id}
        rows={rows}
        search={search}
        onSearch={update}
        filter={
          <>
            <WorkspaceSelect />
            <HeldBytes workspace={workspace} />
          </>
        }
        empty={
          <EmptyState title={`The trash of ${workspace} is empty`}>
            <p>Filesets and jobs that somebody deletes can be restored here for a while.</p>
          </EmptyState>
        }
      />
    </>
  )
}

/** Says how many bytes the trash of a workspace holds. */
function HeldBytes({ workspace }: { readonly workspace: string }): ReactElement | null {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ["filesets", "trash", workspace, "bytes"],
    queryFn: ({ signal }) => client.trash.page(workspace, { page_size: 1 }, { signal }),
  })
  return data === undefined ? null : <span className="soft">holds {formatBytes(data.bytes)}</span>
}

/** Returns what can be done with one deleted fileset or job. */
function useTrashActions() {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return useMemo(() => {
    const refresh = async () => {
      await queries.invalidateQueries({ queryKey: ["filesets"] })
      await queries.invalidateQueries({ queryKey: ["jobs"] })
    }
    return {
      async restore(entry: TrashEntry, name = nameOf(entry)) {
        const { workspace, id, kind } = entry
        if (kind === "job") await client.trash.restoreJob(workspace, id)
        else await client.trash.restore(workspace, id, { name })
        notify(`Restored ${kind === "job" ? name : `${workspace}/${name}`}`)
        await refresh()
      },
      async remove(entry: TrashEntry) {
        const { workspace, id } = entry
        await client.trash.remove(workspace, id)
        notify(`Deleted ${nameOf(entry)} of ${workspace} for good`)
        await refresh()
      },
    }
  }, [client, queries, notify])
}

/** Renders the button that deletes everything in the trash after a question. */
function EmptyTrash({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const empty = async () => {
    const { filesets, jobs, bytes } = await client.trash.empty(workspace)
    const what = `${formatCount(filesets, "fileset")} and ${formatCount(jobs, "job")}`
    notify(`Deleted ${what} for good, ${formatBytes(bytes)}`)
    await queries.invalidateQueries({ queryKey: ["filesets"] })
  }
  return (
    <ConfirmButton label="Empty the trash" title={`Empty the trash of ${workspace}?`} onConfirm={empty}>
      <p>All filesets and jobs in it, and their files on this server, are deleted. This can't be undone.</p>
    </ConfirmButton>
  )
}
