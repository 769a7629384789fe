import { formatInteger } from "@assay/reports"
import type { AuditRecord } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import { Badge } from "../../../components/badge.tsx"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"

const CLIENT_ERROR = 400

function fromOf({ door, address }: AuditRecord): string {
  return [door, address].filter((part) => part !== null).join(" ")
}

/** The columns of the table of writes. */
export const AUDIT_COLUMNS: readonly Column<AuditRecord>[] = [
  {
    id: "time",
    title: "When",
    narrow: "below",
    width: "minmax(8.5rem, 1fr)",
    render: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    id: "token",
    title: "Who",
    narrow: "below",
    width: "minmax(6rem, 1fr)",
    render: ({ token_name, subject }) => <span title={subject ?? undefined}>{token_name}</span>,
    text: ({ token_name, token, subject }) => {
      const id = token ?? subject
      return id === null ? token_name : `${token_name} (${id})`
    },
  },
  {
    id: "from",
    title: "From",
    width: "minmax(8rem, 1fr)",
    render: (record) => fromOf(record),
    text: (record) => fromOf(record),
  },
  {
    id: "action",
    title: "Action",
    narrow: "title",
    width: "minmax(9.5rem, 1fr)",
    render: ({ action }) => action,
    text: ({ action }) => action,
  },
  {
    id: "status",
    title: "Status",
    narrow: "end",
    width: "5rem",
    render: ({ status }) => (status < CLIENT_ERROR ? status : <Badge text={String(status)} tone="FAIL" />),
    text: ({ status }) => String(status),
  },
  {
    id: "count",
    title: "Count",
    width: "4.5rem",
    align: "end",
    render: ({ count, created_at, last_at }) => (
      <span title={count > 1 ? `${created_at} to ${last_at}` : undefined}>{formatInteger(count)}</span>
    ),
    text: ({ count }) => String(count),
  },
  {
    id: "workspace",
    title: "Workspace",
    width: "minmax(6.5rem, 1fr)",
    render: ({ workspace }) => workspace,
    text: ({ workspace }) => workspace ?? "",
  },
  {
    id: "name",
    title: "Name",
    narrow: "below",
    width: "minmax(11rem, 4fr)",
    render: ({ name }) =>
      name?.startsWith("eval-") === true ? (
        <Link to="/jobs/$id" params={{ id: name }} title={name}>
          {name}
        </Link>
      ) : (
        <span title={name ?? undefined}>{name}</span>
      ),
    text: ({ name }) => name ?? "",
  },
  {
    id: "request",
    title: "Request",
    isExtra: true,
    width: "minmax(8rem, 1fr)",
    render: ({ request }) => <code>{request}</code>,
    text: ({ request }) => request,
  },
]
