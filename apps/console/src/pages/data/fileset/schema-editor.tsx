import { formatCount, formatInteger } from "@assay/reports"
import type { Fileset, RowTrial } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Badge } from "../../../components/badge.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { JsonField, readJson } from "../../../components/fields/json-field.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { formatJsonText } from "../../../documents/document-text.ts"

const EXAMPLE = { type: "object", properties: {}, required: [] }

/** Edits the row schema of a fileset, and tries it on the first rows before it is stored. */
export function SchemaEditor({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name, metadata } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const stored = formatJsonText(metadata.dataset?.schema ?? EXAMPLE)
  const [text, setText] = useState(stored)
  const { value, fault } = readJson(text)
  const schema = (value ?? {}) as Record<string, unknown>
  const attempt = useMutation({ mutationFn: () => client.rows.trySchema(workspace, name, { schema }) })
  const save = useMutation({
    mutationFn: () =>
      client.filesets.update(workspace, name, { metadata: { ...metadata, dataset: { ...metadata.dataset, schema } } }),
    onSuccess: async () => {
      notify("Saved the row schema", () => {
        void client.filesets
          .update(workspace, name, { metadata })
          .then(() => queries.invalidateQueries({ queryKey: ["filesets"] }))
      })
      await queries.invalidateQueries({ queryKey: ["filesets"] })
    },
  })
  const error = attempt.error ?? save.error
  return (
    <>
      <JsonField
        label="Row schema"
        hint="A JSON Schema that each row has to satisfy."
        value={text}
        onChange={setText}
        rows={12}
      />
      <p className="actions">
        <button type="button" disabled={fault !== undefined || attempt.isPending} onClick={() => attempt.mutate()}>
          Try on the first 1,000 rows
        </button>
        <button
          type="button"
          disabled={fault !== undefined || text === stored || save.isPending}
          onClick={() => save.mutate()}
        >
          Save the schema
        </button>
      </p>
      {error === null ? null : <ErrorCard error={error} />}
      {attempt.data === undefined ? null : <Trial trial={attempt.data} fileset={fileset} />}
    </>
  )
}

function Trial({ trial, fileset: { workspace, name } }: { readonly trial: RowTrial; readonly fileset: Fileset }) {
  const { path, rows, invalid, data } = trial
  return (
    <>
      <p role="status">
        <Badge text={invalid === 0 ? "fits" : "invalid"} tone={invalid === 0 ? "PASS" : "FAIL"} />{" "}
        {formatInteger(invalid)} of the first {formatCount(rows, "row")} of {path} would have issues.
      </p>
      <ul className="evidence">
        {data.flatMap(({ row_index, line, issues }) =>
          issues.map(({ pointer, message }) => (
            <li key={`${row_index} ${pointer} ${message}`}>
              <Link to="/rows/$workspace/$name" params={{ workspace, name }} search={{ path, at: row_index }}>
                {line === null ? `row ${row_index}` : `line ${line}`}
              </Link>{" "}
              <code>{pointer === "" ? "row" : pointer}</code> <span dir="auto">{message}</span>
            </li>
          )),
        )}
      </ul>
    </>
  )
}
