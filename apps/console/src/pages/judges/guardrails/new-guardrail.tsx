import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
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
    <FormDialog label="New guardrail" title={`New guardrail in ${workspace}`} send="Create" isPrimary onSend={create}>
      <p>It begins as a self-check: one model judges messages and answers. Its page changes everything else.</p>
      <label className="field">
        Name
        <input
          value={name}
          required
          maxLength={255}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <small className="soft">Letters, digits and _ . -</small>
      </label>
      <label className="field">
        Endpoint of the model
        <input
          type="url"
          value={url}
          required
          placeholder="https://host/v1"
          onChange={({ target }) => setUrl(target.value)}
        />
      </label>
      <label className="field">
        Model
        <input value={model} required autoComplete="off" onChange={({ target }) => setModel(target.value)} />
      </label>
      <label className="field">
        Secret with its key
        <input value={secret} autoComplete="off" onChange={({ target }) => setSecret(target.value)} />
        <small className="soft">The name of a secret; empty if the endpoint needs no key</small>
      </label>
    </FormDialog>
  )
}
