import type { GuardrailConfiguration, GuardrailModel } from "@assay/schemas"
import type { ReactElement } from "react"

/** The endpoint that the user names for a model that the configuration leaves open. */
export interface GivenModel {
  readonly url: string
  readonly model: string
  readonly secret: string
}

export type GivenModels = Readonly<Record<string, GivenModel>>

const NOTHING: GivenModel = { url: "", model: "", secret: "" }

/** Returns the types of the models that have no endpoint in the configuration. */
export function openModels({ data }: GuardrailConfiguration): readonly string[] {
  const models = data.models ?? []
  const open = models.filter(({ url, parameters }) => url === undefined && parameters?.["base_url"] === undefined)
  const hasMain = models.some(({ type }) => type === "main" || type.startsWith("self_check"))
  const flows = [...(data.rails?.input?.flows ?? []), ...(data.rails?.output?.flows ?? [])]
  // A rail that names its model does not ask the main one, and a rule asks none.
  const needsMain =
    flows.length === 0 || flows.some((flow) => !flow.includes("$model=") && !flow.startsWith("regex check "))
  return [...new Set([...open.map(({ type }) => type), ...(hasMain || !needsMain ? [] : ["main"])])]
}

/** Returns the models of a request: those of the configuration with the endpoints that the user gave. */
export function modelsOf({ data }: GuardrailConfiguration, given: GivenModels): GuardrailModel[] {
  return Object.entries(given).flatMap(([type, { url, model, secret }]) => {
    if (url === "") return []
    const own = data.models?.find((one) => one.type === type)
    const named = { ...(model === "" ? {} : { model }), ...(secret === "" ? {} : { api_key_secret: secret }) }
    return [{ ...own, type, url, ...named }]
  })
}

export interface MissingModelsProps {
  readonly types: readonly string[]
  readonly given: GivenModels
  readonly onChange: (given: GivenModels) => void
}

/** Renders the fields for the models that a configuration leaves open. They are sent with each message and not stored. */
export function MissingModels({ types, given, onChange }: MissingModelsProps): ReactElement | null {
  if (types.length === 0) return null
  return (
    <details open>
      <summary>Models that the configuration leaves open</summary>
      <p className="soft">Without an endpoint, the default endpoint of the server is asked, if it has one.</p>
      {types.map((type) => {
        const values = given[type] ?? NOTHING
        const set = (change: Partial<GivenModel>) => onChange({ ...given, [type]: { ...values, ...change } })
        return (
          <fieldset key={type} className="model-fields">
            <legend dir="auto">{type}</legend>
            <label className="field">
              Endpoint
              <input
                type="url"
                value={values.url}
                placeholder="https://host/v1"
                onChange={({ target }) => set({ url: target.value })}
              />
            </label>
            <label className="field">
              Model
              <input value={values.model} autoComplete="off" onChange={({ target }) => set({ model: target.value })} />
            </label>
            <label className="field">
              Secret with its key
              <input
                value={values.secret}
                autoComplete="off"
                onChange={({ target }) => set({ secret: target.value })}
              />
            </label>
          </fieldset>
        )
      })}
    </details>
  )
}
