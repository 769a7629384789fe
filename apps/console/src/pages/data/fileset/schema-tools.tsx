import { formatCount, formatInteger } from "@assay/reports"
import type { Fileset, RowReport } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Badge } from "../../../components/badge.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Folded } from "../../../components/folded.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { SchemaEditor } from "./schema-editor.tsx"

/** Validates the rows of a fileset, and proposes a schema from its first rows. */
export function SchemaTools({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name, metadata } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const check = useMutation({ mutationFn: () => client.rows.validate(workspace, name, { max_issues: 20 }) })
  const infer = useMutation({
    mutationFn: async () => {
      const schema = await client.rows.inferSchema(workspace, name)
      const before = metadata
      await client.filesets.update(workspace, name, {
        metadata: { ...before, dataset: { ...before.dataset, schema } },
      })
      await queries.invalidateQueries({ queryKey: ["filesets"] })
      notify("Set the schema that the first rows satisfy", () => {
        void client.filesets
          .update(workspace, name, { metadata: before })
          .then(() => queries.invalidateQueries({ queryKey: ["filesets"] }))
      })
    },
  })
  const error = check.error ?? infer.error
  return (
    <div className="card">
      <p className="actions">
        <button type="button" disabled={check.isPending} onClick={() => check.mutate()}>
          Validate all rows
        </button>
        <button type="button" disabled={infer.isPending} onClick={() => infer.mutate()}>
          {metadata.dataset?.schema === undefined ? "Infer a schema" : "Infer the schema again"}
        </button>
      </p>
      <Folded title="Edit the schema">{() => <SchemaEditor fileset={fileset} />}</Folded>
      {check.isPending ? <Loading what="Validating" /> : null}
      {error === null ? null : <ErrorCard error={error} />}
      {check.data === undefined ? null : <ValidationReport report={check.data} fileset={fileset} />}
    </div>
  )
}

interface ValidationReportProps {
  readonly report: RowReport
  readonly fileset: Fileset
}

/** Renders how many rows are valid, and the first issues with links to their rows. */
function ValidationReport({ report, fileset: { workspace, name } }: ValidationReportProps): ReactElement {
  const isValid = report.invalid === 0
  return (
    <>
      <p>
        <Badge text={isValid ? "valid" : "invalid"} tone={isValid ? "PASS" : "FAIL"} /> {formatInteger(report.valid)} of{" "}
        {formatCount(report.rows, "row")} are valid.
      </p>
      <ul className="evidence">
        {report.files.flatMap(({ path, issues, schema }) => [
          ...(schema === null ? [<li key={path}>{path} has no schema</li>] : []),
          ...issues.map(({ row_index, line, pointer, message }) => (
            <li key={`${path} ${row_index} ${pointer} ${message}`}>
              <Link to="/rows/$workspace/$name" params={{ workspace, name }} search={{ path, at: row_index }}>
                {path}:{line ?? row_index}
              </Link>{" "}
              <code>{pointer === "" ? "row" : pointer}</code> <span dir="auto">{message}</span>
            </li>
          )),
        ])}
      </ul>
    </>
  )
}
