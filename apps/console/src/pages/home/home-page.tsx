import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../api/use-client.ts"
import { EmptyState } from "../../components/empty-state.tsx"
import { ErrorCard } from "../../components/error-card.tsx"
import { Loading } from "../../components/loading.tsx"
import { PageHeader } from "../../components/page-header.tsx"
import { Time } from "../../components/time.tsx"

/** Shows what happened last: jobs and filesets. */
export function HomePage(): ReactElement {
  const client = useClient()
  const filesets = useQuery({
    queryKey: ["filesets", "recent"],
    queryFn: ({ signal }) => client.filesets.page("-", { sort: "-created_at", page_size: 8 }, { signal }),
  })
  return (
    <>
      <PageHeader title="Home" />
      <h2>Recent filesets</h2>
      {filesets.error === null ? null : <ErrorCard error={filesets.error} />}
      {filesets.isPending ? <Loading /> : null}
      {filesets.data?.data.length === 0 ? (
        <EmptyState title="No filesets yet" command="assay push ./some-folder default/first" />
      ) : null}
      <ul>
        {filesets.data?.data.map(({ id, workspace, name, updated_at }) => (
          <li key={id}>
            <Link to="/filesets">
              {workspace}/{name}
            </Link>{" "}
            <Time at={updated_at} />
          </li>
        ))}
      </ul>
    </>
  )
}
