import { useId, useState, type ReactElement } from "react"
import { printable } from "@assay/schemas"
import { ChoiceButtons } from "../../../../components/choice-buttons.tsx"
import { ErrorCard } from "../../../../components/failures/error-card.tsx"
import { TextField } from "../../../../components/fields/text-field.tsx"
import type { FileModel } from "./models-of.ts"
import { useEndpointModels } from "./use-endpoint-models.ts"
import { useKnownModels } from "./use-known-models.ts"
import { useFileForm } from "./file-form.ts"

export interface ModelPickerProps {
  /** The workspace whose secrets and rules count. */
  readonly workspace: string
  /** Whether the file has no model yet: then the choice is open. */
  readonly isFirst: boolean
  readonly onPick: (model: FileModel) => void
}

/** Models of a list that are shown at once. */
const MAX_SHOWN = 30

/** Renders the choice of a model: of those that this server knows, or of those that an endpoint lists. */
export function ModelPicker({ workspace, isFirst, onPick }: ModelPickerProps): ReactElement {
  const known = useKnownModels()
  const [from, setFrom] = useState<"known" | "endpoint">()
  const shown = from ?? (known.length > 0 ? "known" : "endpoint")
  const words = { ...(known.length > 0 ? { known: "Used before" } : {}), endpoint: "From an endpoint" }
  return (
    <details className="model-picker" open={isFirst}>
      <summary>{isFirst ? "Choose a model" : "Add a model"}</summary>
      <ChoiceButtons label="Where models come from" choices={words} chosen={shown} onChoose={setFrom} />
      {shown === "known" ? (
        <ModelList models={known} onPick={onPick} aboutOf={({ url, source }) => `${printable(url)} · ${source}`} />
      ) : (
        <EndpointModels workspace={workspace} known={known} onPick={onPick} />
      )}
    </details>
  )
}

interface ModelListProps<Model extends FileModel> {
  readonly models: readonly Model[]
  readonly onPick: (model: FileModel) => void
  readonly aboutOf?: (model: Model) => string
}

function ModelList<Model extends FileModel>({ models, onPick, aboutOf }: ModelListProps<Model>): ReactElement {
  const [part, setPart] = useState("")
  const small = part.toLowerCase()
  const found = models.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(small))
  return (
    <>
      {models.length > 8 ? (
        <input
          type="search"
          aria-label="Find a model"
          placeholder="Find"
          value={part}
          onChange={({ target }) => setPart(target.value)}
        />
      ) : null}
      <ul className="model-list">
        {found.slice(0, MAX_SHOWN).map((model) => (
          <li key={`${model.url}#${model.name} ${model.secret ?? ""}`}>
            <button type="button" onClick={() => onPick({ url: model.url, name: model.name, secret: model.secret })}>
              <b dir="auto">{model.name}</b>
              {aboutOf === undefined ? null : <small className="cut">{aboutOf(model)}</small>}
            </button>
          </li>
        ))}
      </ul>
      {found.length > MAX_SHOWN ? (
        <p className="soft">{found.length - MAX_SHOWN} more: write a part of a name.</p>
      ) : null}
    </>
  )
}

interface EndpointModelsProps extends Pick<ModelPickerProps, "workspace" | "onPick"> {
  readonly known: readonly FileModel[]
}

function EndpointModels({ workspace, known, onPick }: EndpointModelsProps): ReactElement {
  const [url, setUrl] = useState("")
  const [secret, setSecret] = useState("")
  const [name, setName] = useState("")
  const listed = useEndpointModels()
  const key = secret.trim() === "" ? undefined : secret.trim()
  const models = (listed.data?.data ?? []).map((model) => ({
    url: listed.variables?.url ?? "",
    name: model.id,
    secret: key,
  }))
  return (
    <div className="endpoint">
      <EndpointFields url={url} secret={secret} known={known} onUrl={setUrl} onSecret={setSecret} />
      <p className="actions">
        <button
          type="button"
          disabled={url.trim() === "" || listed.isPending}
          onClick={() => listed.mutate({ workspace, url: url.trim(), secret: key })}
        >
          {listed.isPending ? "Asking …" : "List its models"}
        </button>
      </p>
      {listed.error === null ? null : <ErrorCard error={listed.error} />}
      {listed.data === undefined ? null : models.length === 0 ? (
        <p>The endpoint lists no models.</p>
      ) : (
        <ModelList models={models} onPick={onPick} />
      )}
      {listed.data === undefined && listed.error === null ? null : (
        <div className="actions by-name">
          <TextField label="Or its name" value={name} onChange={setName} autoComplete="off" />
          <button type="button" disabled={name === ""} onClick={() => onPick({ url: url.trim(), name, secret: key })}>
            Add
          </button>
        </div>
      )}
    </div>
  )
}

interface EndpointFieldsProps extends Pick<EndpointModelsProps, "known"> {
  readonly url: string
  readonly secret: string
  readonly onUrl: (url: string) => void
  readonly onSecret: (secret: string) => void
}

/** Renders the address of an endpoint and the name of its secret, with those that are known. */
function EndpointFields({ url, secret, known, onUrl, onSecret }: EndpointFieldsProps): ReactElement {
  const id = useId()
  const { names } = useFileForm()
  const urls = [...new Set(known.map((model) => model.url))]
  return (
    <>
      <TextField
        label="Address"
        type="url"
        value={url}
        onChange={onUrl}
        list={`${id}-urls`}
        placeholder="https://host/v1"
        autoComplete="off"
      />
      <datalist id={`${id}-urls`}>
        {urls.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </datalist>
      <TextField
        label="Secret with the key"
        value={secret}
        onChange={onSecret}
        list={`${id}-secrets`}
        hint="Its name. Empty: no key is sent."
        autoComplete="off"
      />
      <datalist id={`${id}-secrets`}>
        {names.secrets.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </datalist>
    </>
  )
}
