import type { GuardrailConfiguration } from "@assay/schemas"
import { useNavigate } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { descriptionColumn, nameColumn } from "../../../table/record-columns.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { guardrailPath } from "./guardrail-path.ts"
import { NewGuardrail } from "./new-guardrail.tsx"

/** The workspace of the configurations that every server has. */
const BUILT_IN = "system"

const COLUMNS: readonly Column<GuardrailConfiguration>[] = [
  nameColumn(),
  {
    id: "rails",
    title: "Rails",
    narrow: "below",
    width: "minmax(14rem, 2fr)",
    render: (one) => flowsOf(one).join(", "),
    text: (one) => flowsOf(one).join(", "),
  },
  descriptionColumn(),
  {
    id: "updated",
    title: "Updated",
    width: "minmax(8rem, 1fr)",
    render: ({ workspace, updated_at }) => (workspace === BUILT_IN ? "built in" : <Time at={updated_at} />),
    text: ({ updated_at }) => updated_at,
  },
]

/** Lists the guardrail configurations of a workspace. */
export function GuardrailsPage(): ReactElement {
  const client = useClient()
  const { mayAdmin } = useRights()
  const navigate = useNavigate()
  const [workspace, setWorkspace] = useWorkspace()
  const [search, update] = useTableSearch()
  const rows = useRecordRows<GuardrailConfiguration>({
    queryKey: ["guardrails", "list", workspace],
    fetchRecords: (page, call) => client.guardrails.page(workspace, page, call),
  })
  return (
    <>
      <PageHeader
        help="guides/guardrails"
        title="Guardrails"
        actions={workspace !== BUILT_IN && mayAdmin(workspace) ? <NewGuardrail workspace={workspace} /> : null}
      >
        Judges in front of and behind a model. Open one to send it a message and see what each judge says.
      </PageHeader>
      <DataTable
        label={`Guardrails of ${workspace}`}
        counted={["guardrail", "guardrails"]}
        columns={COLUMNS}
        rows={rows}
        search={search}
        onSearch={update}
        onOpen={(one) => void navigate({ to: guardrailPath(workspace, one.name) })}
        filter={<WorkspaceSelect />}
        empty={
          <EmptyState title={`The workspace ${workspace} has no guardrails`}>
            <p>
              Two configurations are built in: a content safety model, and a self-check that asks the model itself.{" "}
              <button type="button" className="quiet" onClick={() => setWorkspace(BUILT_IN)}>
                Show them
              </button>
            </p>
          </EmptyState>
        }
      />
    </>
  )
}

function flowsOf({ data: { rails } }: GuardrailConfiguration): readonly string[] {
  return [...(rails?.input?.flows ?? []), ...(rails?.output?.flows ?? [])]
}
