import { useId, type ReactElement } from "react"
import { printable } from "@assay/schemas"
import { useFileForm, valueAt } from "./file-form.ts"
import { FileField, InFile } from "./file-field.tsx"
import { ModelPicker } from "./model-picker.tsx"
import { addModel, modelsOf, removeModel } from "./models-of.ts"

/** Renders what a file evaluates: models that are asked, or answers that the rows have already. */
export function ModelFields({ workspace }: { readonly workspace: string }): ReactElement {
  const { value, edit, names } = useFileForm()
  const list = useId()
  const isOutput = valueAt(value, ["output"]) !== undefined
  const models = modelsOf(value)
  const choose = (kind: "model" | "output") =>
    kind === "model"
      ? edit([{ path: ["output"], value: undefined }])
      : edit([
          ...["model", "models", "prompt", "prompts", "system"].map((key) => ({ path: [key], value: undefined })),
          { path: ["output"], value: templateOf(names.columns.find((column) => ANSWER.test(column))) },
        ])
  return (
    <fieldset>
      <legend>What is evaluated</legend>
      {(["model", "output"] as const).map((kind) => (
        <label key={kind} className="choice">
          <input type="radio" name="kind" checked={isOutput === (kind === "output")} onChange={() => choose(kind)} />
          {kind === "model" ? "Models that are asked" : "Answers that the rows have already"}
        </label>
      ))}
      {isOutput ? (
        <>
          <FileField
            label="Answer of a row"
            path={["output"]}
            list={list}
            placeholder="{{ output }}"
            hint="A template: {{ column }} is the column of a row."
          />
          <datalist id={list}>
            {names.columns.map((column) => (
              <option key={column}>{templateOf(column)}</option>
            ))}
          </datalist>
        </>
      ) : (
        <>
          <ChosenModels />
          {models.length > 1 ? <p className="soft">Each model is a job of its own.</p> : null}
          <ModelPicker
            workspace={workspace}
            isFirst={models.length === 0}
            onPick={(model) => edit(addModel(value, model))}
          />
        </>
      )}
      {valueAt(value, ["user"]) === undefined ? null : <InFile label="The model that plays the user" path={["user"]} />}
    </fieldset>
  )
}

/** Columns that have the answer of a model in many datasets. */
const ANSWER = /^(?:model_)?(?:output|response|completion|prediction|generation|reply)(?:_text)?$/iu

/** Returns the template of a column. Without one, it is empty. */
function templateOf(column: string | undefined): string {
  if (column === undefined) return ""
  return `{{ ${/^\w+$/u.test(column) ? column : `item[${JSON.stringify(column)}]`} }}`
}

/** Lists the models of a file, each with a button that removes it. */
function ChosenModels(): ReactElement {
  const { value, edit } = useFileForm()
  return (
    <ul className="chosen-models">
      {modelsOf(value).map(({ name, url, secret }, index) => (
        // Models of a file may be equal while somebody writes them.
        // oxlint-disable-next-line no-array-index-key -- their position identifies them
        <li key={index}>
          <span>
            <b dir="auto">{name === "" ? "no name" : name}</b>
            <small className="cut" title={url}>
              {printable(url)}
              {secret === undefined ? "" : `, with ${secret}`}
            </small>
          </span>
          <button
            type="button"
            className="quiet"
            aria-label={`Remove the model ${name}`}
            onClick={() => edit(removeModel(value, index))}
          >
            Remove
          </button>
        </li>
      ))}
    </ul>
  )
}
