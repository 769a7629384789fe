import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { DescriptionField } from "../../../components/fields/description-field.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"

const OFFERED = 100

/** Renders the button and the form that create a model of a checkpoint in a fileset. Its analysis goes on in the background. */
export function NewModel({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const list = useId()
  const [name, setName] = useState("")
  const [fileset, setFileset] = useState("")
  const [description, setDescription] = useState("")
  const { data } = useQuery({
    queryKey: ["filesets", "models"],
    queryFn: ({ signal }) => client.filesets.page("-", { filter: 'purpose:"model"', page_size: OFFERED }, { signal }),
  })
  return (
    <FormDialog
      help="guides/models"
      label="New model"
      title="New model"
      send="Create"
      look="primary"
      onOpen={() => {
        setName("")
        setFileset("")
        setDescription("")
      }}
      onSend={async () => {
        const of = fileset === "" ? {} : { fileset }
        // The page of the model shows the analysis while it runs.
        const { name: created } = await client.models.create(workspace, { name, description, ...of }, { wait: 0 })
        await queries.invalidateQueries({ queryKey: ["models"] })
        await navigate({ to: "/models/$workspace/$name", params: { workspace, name: created } })
      }}
    >
      <NameField value={name} onChange={setName} />
      <TextField
        label="Fileset with the checkpoint"
        value={fileset}
        onChange={setFileset}
        list={list}
        autoComplete="off"
        hint="workspace/fileset. Empty: a model that is only described, such as one behind an endpoint."
      />
      <datalist id={list}>
        {data?.data.map(({ id, workspace: of, name: one }) => (
          <option key={id}>{`${of}/${one}`}</option>
        ))}
      </datalist>
      <DescriptionField value={description} onChange={setDescription} />
    </FormDialog>
  )
}
