import type { Secret } from "@assay/schemas"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { descriptionColumn, nameColumn, timeColumn } from "../../../table/record-columns.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { NewSecret } from "./new-secret.tsx"
import { SecretPanel } from "./secret-panel.tsx"

const COLUMNS: readonly Column<Secret>[] = [
  nameColumn(),
  descriptionColumn(),
  timeColumn("updated", "Set", ({ updated_at }) => updated_at),
]

/** Lists the names of a workspace's secrets. A value is written here and never shown. */
export function SecretsPage(): ReactElement {
  const client = useClient()
  const { mayAdmin } = useRights()
  const [workspace] = useWorkspace()
  const [search, update] = useTableSearch()
  const [chosen, choose] = useSearchValue("name")
  const rows = useRecordRows<Secret>({
    queryKey: ["secrets", workspace],
    fetchRecords: (page, call) => client.secrets.page(workspace, page, call),
  })
  return (
    <>
      <PageHeader
        help="concepts/security-model#keys-and-secrets"
        title="Secrets"
        actions={mayAdmin(workspace) ? <NewSecret workspace={workspace} /> : null}
      >
        Keys of model endpoints and of remote storage. Records name them; the server never shows a value.
      </PageHeader>
      {chosen === undefined ? null : (
        <SecretPanel
          key={`${workspace}/${chosen}`}
          address={{ workspace, name: chosen }}
          onClose={() => choose(undefined)}
        />
      )}
      <DataTable
        label={`Secrets of ${workspace}`}
        counted={["secret", "secrets"]}
        columns={COLUMNS}
        rows={rows}
        search={search}
        onSearch={update}
        onOpen={({ name }) => choose(name)}
        filter={<WorkspaceSelect />}
        empty={
          <EmptyState
            title={`The workspace ${workspace} has no secrets`}
            command={`assay secret set hub-token --workspace ${workspace} < token.txt`}
          />
        }
      />
    </>
  )
}
