import type { AuditRecord } from "@assay/schemas"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useHeldRows } from "../../../table/row-source.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { AUDIT_COLUMNS } from "./audit-columns.tsx"
import { AuditFilter, useAuditFilter } from "./audit-filter.tsx"

const PAGE_SIZE = 200
const NO_PAGES: readonly { readonly data: readonly AuditRecord[] }[] = []

/** Lists who changed what, newest first. */
export function AuditPage(): ReactElement {
  const { mayAdmin } = useRights()
  return (
    <>
      <PageHeader help="guides/operations#audit" title="Audit">
        Each write over HTTP: who, from where, what, when and with which status. Values and contents are not recorded.
        Files that one caller writes to a fileset are counted together, and so are many failures.
      </PageHeader>
      {mayAdmin() ? (
        <AuditTable />
      ) : (
        <NotAllowed needs="admin">Records show what others do, so only admins of a workspace see them.</NotAllowed>
      )}
    </>
  )
}

function AuditTable(): ReactElement {
  const client = useClient()
  const [search, update] = useTableSearch()
  const [filter] = useAuditFilter()
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["audit", filter],
    queryFn: ({ signal, pageParam }) =>
      client.audit.page({ search: filter, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const pages = data?.pages ?? NO_PAGES
  const records = useMemo(() => pages.flatMap((page) => page.data), [pages])
  const rows = useHeldRows(records, { isLoading: isPending, error: error ?? undefined })
  return (
    <>
      <DataTable
        label="Writes"
        counted={["record", "records"]}
        columns={AUDIT_COLUMNS}
        rows={rows}
        isGrowing={hasNextPage}
        search={search}
        onSearch={update}
        filter={<AuditFilter />}
        empty={
          hasNextPage ? (
            <p className="soft">No such write among the newest ones.</p>
          ) : (
            <EmptyState title="No writes on record">
              <p>The next write over HTTP appears here, whoever sends it.</p>
            </EmptyState>
          )
        }
      />
      {hasNextPage ? (
        <p className="actions">
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older
          </button>
        </p>
      ) : null}
    </>
  )
}
