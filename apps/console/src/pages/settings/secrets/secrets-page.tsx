import type { Secret } from "@assay/schemas"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { NewSecret } from "./new-secret.tsx"
import { SecretPanel } from "./secret-panel.tsx"

const COLUMNS: readonly Column<Secret>[] = [
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
    id: "updated",
    title: "Set",
    width: "minmax(8rem, 1fr)",
    render: ({ updated_at }) => <Time at={updated_at} />,
    text: ({ updated_at }) => updated_at,
  },
]

/** Lists the names of a workspace's secrets. A value is written here and never shown. */
export function SecretsPage(): ReactElement {
  const client = useClient()
  const { mayAdmin } = useRights()
  const [workspace] = useWorkspace()
  const [search, update] = useTableSearch()
  const [chosen, choose] = useSearchValue("name")
  const rows = usePagedRows<Secret>({
    queryKey: ["secrets", workspace],
    fetchPage: async (offset, limit, signal) => {
      const page = await client.secrets.page(workspace, { page: offset / limit + 1, page_size: limit }, { signal })
      return { rows: page.data, total: page.pagination?.total_results ?? page.data.length }
    },
  })
  return (
    <>
      <PageHeader title="Secrets" actions={mayAdmin(workspace) ? <NewSecret workspace={workspace} /> : null}>
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
