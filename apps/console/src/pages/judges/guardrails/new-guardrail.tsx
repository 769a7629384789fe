import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { guardrailPath } from "./guardrail-path.ts"

/** Renders the button and the form for a new configuration: a self-check of one model, which can be changed afterwards. */
export function NewGuardrail({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [url, setUrl] = useState("")
  const [model, setModel] = useState("")
  const [secret, setSecret] = useState("")
  const create = async () => {
    const main = { type: "main", model, url, ...(secret === "" ? {} : { api_key_secret: secret }) }
    const rails = { input: { flows: ["self check input"] }, output: { flows: ["self check output"] } }
    await client.guardrails.create(workspace, { name, data: { models: [main], rails } })
    await queries.invalidateQueries({ queryKey: ["guardrails"] })
    await navigate({ to: guardrailPath(workspace, name) })
  }
  return (
    <FormDialog
      help="guides/guardrails#configurations"
      label="New guardrail"
      title={`New guardrail in ${workspace}`}
      send="Create"
      look="primary"
      onSend={create}
    >
      <p>It begins as a self-check: one model judges messages and answers. Its page changes everything else.</p>
      <NameField value={name} onChange={setName} />
      <TextField
        label="Endpoint of the model"
        type="url"
        required
        placeholder="https://host/v1"
        value={url}
        onChange={setUrl}
      />
      <TextField label="Model" required autoComplete="off" value={model} onChange={setModel} />
      <TextField
        label="Secret with its key"
        hint="The name of a secret; empty if the endpoint needs no key"
        autoComplete="off"
        value={secret}
        onChange={setSecret}
      />
    </FormDialog>
  )
}
