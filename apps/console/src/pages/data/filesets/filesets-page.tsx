import type { Fileset } from "@assay/schemas"
import type { FilesetSort } from "@assay/schemas"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/time.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { FilterBox } from "../../../table/filter-box.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"

const COLUMNS: readonly Column<Fileset>[] = [
  {
    id: "name",
    title: "Name",
    width: "minmax(14rem, 3fr)",
    sortBy: "name",
    render: ({ workspace, name }) => (
      <>
        <span className="soft">{workspace}/</span>
        {name}
      </>
    ),
    text: ({ workspace, name }) => `${workspace}/${name}`,
  },
  {
    id: "purpose",
    title: "Purpose",
    width: "minmax(6rem, 1fr)",
    render: ({ purpose }) => purpose,
    text: ({ purpose }) => purpose,
  },
  {
    id: "updated",
    title: "Updated",
    width: "minmax(8rem, 1fr)",
    sortBy: "created_at",
    sortsDown: true,
    render: ({ updated_at }) => <Time at={updated_at} />,
    text: ({ updated_at }) => updated_at,
  },
]

/** Lists filesets with the text filter of the API. */
export function FilesetsPage(): ReactElement {
  const client = useClient()
  const [search, update] = useTableSearch()
  const { sort = "-created_at", q } = search
  const rows = usePagedRows<Fileset>({
    queryKey: ["filesets", "-", sort, q],
    fetchPage: async (offset, limit, signal) => {
      const query = { sort: sort as FilesetSort, page: offset / limit + 1, page_size: limit }
      const page = await client.filesets.page("-", q === undefined ? query : { ...query, filter: q }, { signal })
      return { rows: page.data, total: page.pagination?.total_results ?? page.data.length }
    },
  })
  return (
    <>
      <PageHeader title="Filesets" />
      <DataTable
        label="Filesets"
        columns={COLUMNS}
        rows={rows}
        search={{ ...search, sort }}
        onSearch={update}
        filter={
          <FilterBox
            label="Filter"
            placeholder={'purpose:"dataset" AND name~"squad"'}
            value={q}
            onChange={(text) => update({ q: text, at: undefined })}
          />
        }
        empty={<EmptyState title="No filesets" command="assay push ./some-folder default/first" />}
      />
    </>
  )
}
