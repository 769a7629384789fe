import type { Workspace } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { Beside } from "../../../components/beside.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { descriptionColumn, nameColumn, timeColumn } from "../../../table/record-columns.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { DescriptionField } from "../../../components/fields/description-field.tsx"
import { WorkspacePanel } from "./workspace-panel.tsx"
import "./workspaces.css"

const COLUMNS: readonly Column<Workspace>[] = [
  nameColumn(),
  descriptionColumn(),
  timeColumn("created", "Created", ({ created_at }) => created_at),
]

const PANEL_WIDTH = { share: 45, of: "workspace" }

/** Returns the filter of the workspaces with a text in their name or description. Undefined: all. */
function filterOf(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const $like = text?.trim() ?? ""
  return $like === "" ? undefined : { $or: [{ name: { $like } }, { description: { $like } }] }
}

/** Lists workspaces. A click on one shows it beside the table, where it can be changed and deleted. */
export function WorkspacesPage(): ReactElement {
  const client = useClient()
  const { mayAdminAll } = useRights()
  const [search, update] = useTableSearch()
  const [chosen, choose] = useSearchValue("name")
  const rows = useRecordRows<Workspace>({
    queryKey: ["workspaces", "list", search.q],
    fetchRecords: (page, call) => client.workspaces.page({ ...page, filter: filterOf(search.q) }, call),
  })
  return (
    <>
      <PageHeader
        help="concepts/security-model#tokens"
        title="Workspaces"
        actions={mayAdminAll ? <NewWorkspace onCreate={choose} /> : null}
      >
        Filesets, models, jobs, guardrails and secrets belong to a workspace. Rights are granted by workspace.
      </PageHeader>
      <Beside
        width={PANEL_WIDTH}
        panel={
          chosen === undefined ? null : <WorkspacePanel key={chosen} name={chosen} onClose={() => choose(undefined)} />
        }
      >
        <DataTable
          label="Workspaces"
          counted={["workspace", "workspaces"]}
          columns={COLUMNS}
          rows={rows}
          search={search}
          onSearch={update}
          onOpen={({ name }) => choose(name)}
          keys={{ Escape: () => choose(undefined) }}
          filter={
            <TextFilter
              label="Find workspaces"
              placeholder="Part of a name or a description"
              search={search}
              onSearch={update}
            />
          }
          empty={
            search.q === undefined ? (
              <EmptyState title="No workspaces that you may see" command="assay workspace create team-a" />
            ) : (
              <EmptyState title={`No name or description contains '${search.q}'`} />
            )
          }
        />
      </Beside>
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
      help="concepts/security-model#tokens"
      label="New workspace"
      title="New workspace"
      send="Create"
      look="primary"
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
      <NameField
        value={name}
        onChange={setName}
        minLength={2}
        maxLength={63}
        hint="2 to 63 characters: small letters, digits and - @ . + _, beginning with a letter"
      />
      <DescriptionField value={description} onChange={setDescription} />
    </FormDialog>
  )
}
