import type { Token } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Badge } from "../../../components/badge.tsx"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useRecordRows } from "../../../table/use-record-rows.ts"

/** Renders the tokens that the user may manage. `own` is the id of the user's token. */
export function TokenTable({ own }: { readonly own: string | null }): ReactElement {
  const client = useClient()
  const [search, update] = useTableSearch()
  const rows = useRecordRows<Token>({
    queryKey: ["tokens", "list"],
    fetchRecords: (page, call) => client.tokens.page(page, call),
  })
  return (
    <DataTable
      label="Tokens"
      counted={["token", "tokens"]}
      columns={columnsFor(own)}
      rows={rows}
      search={search}
      onSearch={update}
      rowKey={({ id }) => id}
      empty={
        <EmptyState
          title="No tokens that you may manage"
          command="assay token create laptop --role admin --workspace '*'"
        />
      }
    />
  )
}

function columnsFor(own: string | null): readonly Column<Token>[] {
  return [
    {
      id: "name",
      title: "Name",
      narrow: "title",
      width: "minmax(10rem, 1fr)",
      render: ({ id, name }) => (
        <>
          {name} {id === own ? <Badge text="yours" /> : null}
        </>
      ),
      text: ({ name }) => name,
    },
    {
      id: "grants",
      title: "Rights",
      narrow: "below",
      width: "minmax(12rem, 2fr)",
      render: (token) => rightsOf(token),
      text: rightsOf,
    },
    {
      id: "expires",
      title: "Expires",
      narrow: "below",
      narrowWords: "expires",
      width: "minmax(8rem, 1fr)",
      render: ({ expires_at }) =>
        expires_at === null ? <span className="soft">never</span> : <Time at={expires_at} />,
      text: ({ expires_at }) => expires_at ?? "never",
    },
    {
      id: "created",
      title: "Created",
      width: "minmax(8rem, 1fr)",
      render: ({ created_at }) => (created_at === null ? null : <Time at={created_at} />),
      text: ({ created_at }) => created_at ?? "",
    },
    {
      id: "id",
      title: "Id",
      width: "minmax(12rem, 1fr)",
      render: ({ id }) => <code>{id}</code>,
      text: ({ id }) => id,
    },
    {
      id: "actions",
      title: "Actions",
      narrow: "end",
      width: "7rem",
      render: (token) => <RevokeToken token={token} isOwn={token.id === own} />,
      text: () => "",
    },
  ]
}

function rightsOf({ grants }: Token): string {
  return grants
    .map(({ workspace, role }) => `${role} in ${workspace === "*" ? "all workspaces" : workspace}`)
    .join(", ")
}

function RevokeToken({ token: { id, name }, isOwn }: { readonly token: Token; readonly isOwn: boolean }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const revoke = async () => {
    await client.tokens.revoke(id)
    notify(`Revoked the token ${name}.`)
    await queries.invalidateQueries(isOwn ? {} : { queryKey: ["tokens"] })
  }
  return (
    <ConfirmButton label="Revoke" title={`Revoke the token ${name}?`} onConfirm={revoke}>
      <p>Programs and browsers that use it are refused from then on. This cannot be undone.</p>
      {isOwn ? <p>It is the token that you signed in with: you are signed out.</p> : null}
    </ConfirmButton>
  )
}
