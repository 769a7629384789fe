import { formatBytes } from "@assay/reports"
import type { Model, ModelSort } from "@assay/schemas"
import { useNavigate } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { Badge } from "../../../components/badge.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useWorkspace, WorkspaceSelect } from "../../../components/fields/workspace-select.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { NewModel } from "./new-model.tsx"
import { formatParameters } from "./format-parameters.ts"

const COLUMNS: readonly Column<Model>[] = [
  {
    id: "name",
    title: "Name",
    narrow: "title",
    width: "minmax(12rem, 2fr)",
    sortBy: "name",
    render: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    id: "family",
    title: "Family",
    narrow: "below",
    width: "minmax(8rem, 1fr)",
    render: ({ spec }) => spec?.family ?? "–",
    text: ({ spec }) => spec?.family ?? null,
  },
  {
    id: "parameters",
    title: "Parameters",
    width: "7rem",
    align: "end",
    render: ({ spec }) => formatParameters(spec?.base_num_parameters),
    text: ({ spec }) => spec?.base_num_parameters ?? null,
  },
  {
    id: "weights",
    title: "Weights",
    width: "7rem",
    align: "end",
    render: ({ spec }) => (spec === null ? "–" : formatBytes(spec.weights_bytes)),
    text: ({ spec }) => spec?.weights_bytes ?? null,
  },
  {
    id: "precision",
    title: "Precision",
    width: "7rem",
    render: ({ spec }) => spec?.precision ?? "–",
    text: ({ spec }) => spec?.precision ?? null,
  },
  {
    id: "analysis",
    title: "Analysis",
    narrow: "end",
    width: "8rem",
    render: ({ analysis }) => (
      <Badge
        text={analysis.status}
        tone={analysis.status === "failed" ? "FAIL" : analysis.status === "running" ? "RUNNING" : "PASS"}
      />
    ),
    text: ({ analysis }) => analysis.status,
  },
  {
    id: "created",
    title: "Created",
    narrow: "below",
    width: "minmax(8rem, 1fr)",
    sortBy: "created_at",
    sortsDown: true,
    render: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

/** Lists the models of a workspace with what their checkpoints say. */
export function ModelsPage(): ReactElement {
  const client = useClient()
  const navigate = useNavigate()
  const [search, update] = useTableSearch()
  const [workspace] = useWorkspace()
  const { mayEdit } = useRights()
  const { sort = "-created_at" } = search
  const rows = useRecordRows<Model>({
    queryKey: ["models", workspace, sort],
    fetchRecords: (page, call) => client.models.page(workspace, { ...page, sort: sort as ModelSort }, call),
  })
  return (
    <>
      <PageHeader
        help="guides/models"
        title="Models"
        actions={mayEdit(workspace) ? <NewModel workspace={workspace} /> : undefined}
      >
        Checkpoints in filesets, with the specification that was read from them.
      </PageHeader>
      <DataTable
        label="Models"
        counted={["model", "models"]}
        columns={COLUMNS}
        rows={rows}
        search={{ ...search, sort }}
        onSearch={update}
        filter={<WorkspaceSelect />}
        onOpen={({ name }) => void navigate({ to: "/models/$workspace/$name", params: { workspace, name } })}
        empty={
          <EmptyState
            title={`No models in ${workspace}`}
            command={`assay model create ${workspace}/NAME --fileset ${workspace}/FILESET`}
          >
            <p>A model is a checkpoint in a fileset. Its specification is read from the files:</p>
          </EmptyState>
        }
      />
    </>
  )
}
