import { useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { DescriptionField } from "../../../components/fields/description-field.tsx"
import { SecretValueField } from "./secret-value-field.tsx"

/** Renders the button and the form for a new secret. */
export function NewSecret({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState("")
  const [value, setValue] = useState("")
  const [description, setDescription] = useState("")
  const empty = () => {
    setName("")
    setValue("")
    setDescription("")
  }
  return (
    <FormDialog
      help="concepts/security-model#keys-and-secrets"
      label="New secret"
      title={`New secret in ${workspace}`}
      send="Create"
      look="primary"
      onOpen={empty}
      onSend={async () => {
        await client.secrets.create(workspace, { name, value, description })
        // The value must not stay in the page.
        empty()
        await queries.invalidateQueries({ queryKey: ["secrets"] })
      }}
    >
      <NameField value={name} onChange={setName} />
      <SecretValueField value={value} onChange={setValue} />
      <DescriptionField value={description} onChange={setDescription} />
    </FormDialog>
  )
}
