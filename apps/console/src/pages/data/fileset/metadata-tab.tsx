import type { Fileset, Metadata } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { JsonField, readJson } from "../../../components/fields/json-field.tsx"
import { formatJsonText } from "../../../documents/document-text.ts"
import { useNotify } from "../../../components/notices.tsx"
import { SchemaTools } from "./schema-tools.tsx"

const show = formatJsonText

/** Shows and changes what is known about the files: row schemas, tool calling of models, custom fields. */
export function MetadataTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const mayEdit = useRights().mayEdit(workspace)
  const [metadata, setMetadata] = useState(show(fileset.metadata))
  const [fields, setFields] = useState(show(fileset.custom_fields))
  const read = { metadata: readJson(metadata), custom_fields: readJson(fields) }
  const save = useMutation({
    mutationFn: () =>
      client.filesets.update(workspace, name, {
        metadata: read.metadata.value as Metadata,
        custom_fields: read.custom_fields.value as Fileset["custom_fields"],
      }),
    onSuccess: async () => {
      notify("Saved the metadata")
      await queries.invalidateQueries({ queryKey: ["filesets"] })
    },
  })
  const isChanged = metadata !== show(fileset.metadata) || fields !== show(fileset.custom_fields)
  const isReadable = read.metadata.fault === undefined && read.custom_fields.fault === undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {fileset.purpose === "model" || !mayEdit ? null : <SchemaTools fileset={fileset} />}
      <div className="columns">
        <JsonField
          label="Metadata"
          hint="Row schemas are below `dataset`, tool calling is below `model`."
          value={metadata}
          onChange={setMetadata}
        />
        <JsonField
          label="Custom fields"
          hint={'Listings can be filtered by them: `custom_fields.team:"search"`.'}
          value={fields}
          onChange={setFields}
        />
      </div>
      {save.error === null ? null : <ErrorCard error={save.error} />}
      <p className="actions">
        <button type="submit" className="primary" disabled={!mayEdit || !isChanged || !isReadable || save.isPending}>
          Save
        </button>
        {isChanged ? (
          <button
            type="button"
            onClick={() => {
              setMetadata(show(fileset.metadata))
              setFields(show(fileset.custom_fields))
            }}
          >
            Discard changes
          </button>
        ) : null}
      </p>
    </form>
  )
}
