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

/** Shows and changes the metadata of the files: row schemas, tool calling of models, custom fields. */
export function MetadataTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const mayEdit = useRights().mayEdit(fileset.workspace)
  const { metadata, setMetadata, fields, setFields, isChanged, isReadable, discard, save } = useMetadataEdit(fileset)
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
          <button type="button" onClick={discard}>
            Discard changes
          </button>
        ) : null}
      </p>
    </form>
  )
}

/** Returns the texts of the metadata and the custom fields as they are edited, and what can be done with them. */
function useMetadataEdit(fileset: Fileset) {
  const { workspace, name } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const stored = { metadata: formatJsonText(fileset.metadata), fields: formatJsonText(fileset.custom_fields) }
  const [metadata, setMetadata] = useState(stored.metadata)
  const [fields, setFields] = useState(stored.fields)
  // A text that was not edited follows the record, which other parts of the page change.
  const [base, setBase] = useState(stored)
  if (base.metadata !== stored.metadata || base.fields !== stored.fields) {
    setBase(stored)
    if (metadata === base.metadata) setMetadata(stored.metadata)
    if (fields === base.fields) setFields(stored.fields)
  }
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
  return {
    metadata,
    setMetadata,
    fields,
    setFields,
    isChanged: metadata !== stored.metadata || fields !== stored.fields,
    isReadable: read.metadata.fault === undefined && read.custom_fields.fault === undefined,
    discard: () => {
      setMetadata(stored.metadata)
      setFields(stored.fields)
    },
    save,
  }
}
