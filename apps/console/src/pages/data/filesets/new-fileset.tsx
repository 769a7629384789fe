import type { Purpose } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { formatBytes, formatCount } from "@assay/reports"
import { useEffect, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"
import type { DroppedFile } from "../fileset/dropped-files.ts"
import { handFiles } from "../fileset/handed-files.ts"
import { proposedName, withoutOnlyFolder } from "./files-of-fileset.ts"

const PURPOSES: readonly Purpose[] = ["dataset", "model", "generic"]

export interface NewFilesetProps {
  /** Files that were dropped on the page: the form opens for them. */
  readonly dropped: readonly DroppedFile[] | undefined
}

const NO_FILES: readonly DroppedFile[] = []

/** Renders the button that creates a fileset on the server's default storage, and opens its page, which uploads the chosen files. */
export function NewFileset({ dropped }: NewFilesetProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [workspace, setWorkspace] = useState("default")
  const [name, setName] = useState("")
  const [purpose, setPurpose] = useState<Purpose>("dataset")
  const [files, setFiles] = useState(NO_FILES)
  const take = (chosen: readonly DroppedFile[]) => {
    setFiles(chosen)
    setName(proposedName(chosen))
  }
  useEffect(() => {
    if (dropped !== undefined) take(dropped)
  }, [dropped])
  const create = async () => {
    await client.filesets.create(workspace, { name, purpose })
    if (files.length > 0) handFiles(queries, { workspace, name }, withoutOnlyFolder(files))
    await queries.invalidateQueries({ queryKey: ["filesets"] })
    await navigate({ to: "/filesets/$workspace/$name", params: { workspace, name } })
  }
  return (
    <FormDialog
      help="start/first-fileset"
      label="New fileset"
      title="New fileset"
      send="Create"
      look="primary"
      onOpen={() => take(NO_FILES)}
      openFor={dropped}
      onSend={create}
    >
      <NameField value={name} onChange={setName} pattern="[A-Za-z0-9_.\-]+" />
      <label className="field">
        Workspace
        <input required value={workspace} onChange={({ target }) => setWorkspace(target.value)} />
      </label>
      <SelectField
        label="Purpose"
        choices={PURPOSES.map((one) => [one, one] as const)}
        value={purpose}
        onChange={setPurpose}
      />
      <FilesField files={files} onChange={take} />
      <p className="soft">
        Its files are stored by this server. For a hub, a catalog or an object store, see{" "}
        <code>assay fileset create --help</code>.
      </p>
    </FormDialog>
  )
}

interface FilesFieldProps {
  readonly files: readonly DroppedFile[]
  readonly onChange: (files: readonly DroppedFile[]) => void
}

function FilesField({ files, onChange }: FilesFieldProps): ReactElement {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <label className="field">
      Files
      <input
        type="file"
        multiple
        onChange={({ target }) => onChange([...(target.files ?? [])].map((file) => ({ path: file.name, file })))}
      />
      <small>
        {files.length === 0
          ? "Optional. They can also be dropped on the list of filesets, and on the page of a fileset."
          : `${formatCount(files.length, "file")}, ${formatBytes(bytes)} will be uploaded.`}
      </small>
    </label>
  )
}
