import type { Purpose } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"

const PURPOSES: readonly Purpose[] = ["dataset", "model", "generic"]

/** Renders the button that creates a fileset on the server's default storage, and opens its page. */
export function NewFileset(): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [workspace, setWorkspace] = useState("default")
  const [name, setName] = useState("")
  const [purpose, setPurpose] = useState<Purpose>("dataset")
  const create = async () => {
    await client.filesets.create(workspace, { name, purpose })
    await queries.invalidateQueries({ queryKey: ["filesets"] })
    await navigate({ to: "/filesets/$workspace/$name", params: { workspace, name } })
  }
  return (
    <FormDialog
      label="New fileset"
      title="New fileset"
      send="Create"
      look="primary"
      onOpen={() => setName("")}
      onSend={create}
    >
      <label className="field">
        Workspace
        <input required value={workspace} onChange={({ target }) => setWorkspace(target.value)} />
      </label>
      <NameField value={name} onChange={setName} pattern="[A-Za-z0-9_.\-]+" />
      <SelectField
        label="Purpose"
        choices={PURPOSES.map((one) => [one, one] as const)}
        value={purpose}
        onChange={setPurpose}
      />
      <p className="soft">
        Its files are stored by this server. For a hub, a catalog or an object store, see{" "}
        <code>assay fileset create --help</code>.
      </p>
    </FormDialog>
  )
}
