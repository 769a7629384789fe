import { formatBytes, formatInteger } from "@assay/reports"
import type { Fileset, FilesetHistory } from "@assay/schemas"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useHeldRows } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { HISTORY_COLUMNS } from "./history-columns.tsx"
import { RevisionCard } from "./revision-card.tsx"

const PAGE_SIZE = 200
const NO_PAGES: readonly FilesetHistory[] = []

/** Lists the changes of a fileset, newest first, and compares the chosen one. */
export function HistoryTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name } = fileset
  const client = useClient()
  const [search, update] = useTableSearch()
  const [chosen, choose] = useSearchValue("revision")
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["filesets", workspace, name, "history"],
    queryFn: ({ signal, pageParam }) => {
      const page = pageParam === undefined ? {} : { page_token: pageParam }
      return client.history.list(workspace, name, { limit: PAGE_SIZE, ...page }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_page_token }) => next_page_token,
  })
  const pages = data?.pages ?? NO_PAGES
  const changes = useMemo(() => pages.flatMap((page) => page.data), [pages])
  const rows = useHeldRows(changes, { isLoading: isPending, error: error ?? undefined })
  const kept = pages[0]?.kept
  return (
    <>
      {chosen === undefined ? null : (
        <RevisionCard
          key={chosen}
          fileset={fileset}
          revision={chosen}
          changes={changes}
          onClose={() => choose(undefined)}
        />
      )}
      <DataTable
        label="Changes"
        columns={HISTORY_COLUMNS}
        rows={rows}
        search={search}
        onSearch={update}
        onOpen={({ revision }) => choose(revision)}
        counted={["change", "changes"]}
        isGrowing={hasNextPage}
        rowKey={({ revision }) => revision}
        filter={kept === undefined ? null : <Kept kept={kept} />}
        empty={
          <EmptyState title="No changes on record" command={`assay fileset history ${workspace}/${name}`}>
            <p>What is replaced and deleted here can be restored later.</p>
          </EmptyState>
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

function Kept({ kept: { files, bytes } }: Pick<FilesetHistory, "kept">): ReactElement {
  return (
    <span className="soft">
      {formatInteger(files)} former {files === 1 ? "version" : "versions"} kept, {formatBytes(bytes)}
    </span>
  )
}
