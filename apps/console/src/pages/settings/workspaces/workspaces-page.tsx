import type { Workspace } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { DescriptionField } from "../description-field.tsx"
import { WorkspacePanel } from "./workspace-panel.tsx"

const COLUMNS: readonly Column<Workspace>[] = [
  {
    id: "name",
    title: "Name",
    width: "minmax(10rem, 1fr)",
    render: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    id: "description",
    title: "Description",
    width: "minmax(10rem, 2fr)",
    render: ({ description }) => description,
    text: ({ description }) => description,
  },
  {
    id: "created",
    title: "Created",
    width: "minmax(8rem, 1fr)",
    render: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

/** Lists workspaces. A click on one shows it above the table, where it can be changed and deleted. */
export function WorkspacesPage(): ReactElement {
  const client = useClient()
  const { mayAdminAll } = useRights()
  const [search, update] = useTableSearch()
  const [chosen, choose] = useSearchValue("name")
  const rows = usePagedRows<Workspace>({
    queryKey: ["workspaces", "list"],
    fetchPage: async (offset, limit, signal) => {
      const page = await client.workspaces.page({ page: offset / limit + 1, page_size: limit }, { signal })
      return { rows: page.data, total: page.pagination?.total_results ?? page.data.length }
    },
  })
  return (
    <>
      <PageHeader title="Workspaces" actions={mayAdminAll ? <NewWorkspace onCreate={choose} /> : null}>
        Filesets, models, jobs, guardrails and secrets belong to a workspace. Rights are granted by workspace.
      </PageHeader>
      {chosen === undefined ? null : <WorkspacePanel key={chosen} name={chosen} onClose={() => choose(undefined)} />}
      <DataTable
        label="Workspaces"
        columns={COLUMNS}
        rows={rows}
        search={search}
        onSearch={update}
        onOpen={({ name }) => choose(name)}
        empty={<EmptyState title="No workspaces that you may see" command="assay workspace create team-a" />}
      />
    </>
  )
}

function NewWorkspace({ onCreate }: { readonly onCreate: (name: string) => void }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState("")
  const [description, setDescription] = useState("")
  return (
    <FormDialog
      label="New workspace"
      title="New workspace"
      send="Create"
      isPrimary
      onOpen={() => {
        setName("")
        setDescription("")
      }}
      onSend={async () => {
        await client.workspaces.create({ name, description })
        await queries.invalidateQueries({ queryKey: ["workspaces"] })
        onCreate(name)
      }}
    >
      <label className="field">
        Name
        <input
          value={name}
          required
          minLength={2}
          maxLength={63}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <small className="soft">2 to 63 characters: small letters, digits and - @ . + _, beginning with a letter</small>
      </label>
      <DescriptionField value={description} onChange={setDescription} />
    </FormDialog>
  )
}
