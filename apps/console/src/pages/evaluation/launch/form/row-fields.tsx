import { formatCount } from "@assay/reports"
import { messageOf } from "@assay/schemas/errors"
import { useId, useRef, type ReactElement } from "react"
import { DatasetOptions } from "../../../../components/fields/dataset-options.tsx"
import { useFileForm, valueAt } from "./file-form.ts"
import { FileField, InFile } from "./file-field.tsx"
import type { ShownDataset } from "./use-dataset.ts"

/** Renders the dataset of a file, and the prompt that is made of each of its rows. */
export function RowFields({ dataset }: { readonly dataset: ShownDataset }): ReactElement {
  const id = useId()
  const { value } = useFileForm()
  const { total, columns, files, error } = dataset
  const data = valueAt(value, ["data"])
  const isInline = Array.isArray(data)
  return (
    <fieldset>
      <legend>Over which rows</legend>
      {isInline ? (
        <InFile label={formatCount(data.length, "row")} path={["data"]} />
      ) : (
        <>
          <FileField label="Dataset" path={["data"]} list={id} hint="workspace/fileset, and #path for one file" />
          {files.length > 1 ? (
            <datalist id={id}>
              {files.map((file) => (
                <option key={file}>{file}</option>
              ))}
            </datalist>
          ) : (
            <DatasetOptions id={id} />
          )}
        </>
      )}
      {error !== null && typeof data === "string" && data !== "" ? <p className="soft">{messageOf(error)}</p> : null}
      {columns.length === 0 ? null : (
        <p className="columns-of">
          {total === undefined ? "Its columns: " : <><b>{formatCount(total, "row")}</b>{" with "}</>}
          {columns.map((column) => (
            <code key={column}>{column}</code>
          ))}
        </p>
      )}
      <FileField label="Rows at most" path={["limits", "rows"]} kind="number" hint="Empty: all rows" />
      {valueAt(value, ["output"]) === undefined ? <PromptField columns={columns} /> : null}
    </fieldset>
  )
}

/** Renders the prompt, and the columns that it can have. */
function PromptField({ columns }: { readonly columns: readonly string[] }): ReactElement {
  const { value, edit } = useFileForm()
  const box = useRef<HTMLDivElement>(null)
  const written = ["prompts", "turns", "user"].find((key) => valueAt(value, [key]) !== undefined)
  if (written !== undefined) return <InFile label={written === "prompts" ? "Several prompts" : "A conversation"} path={[written]} />
  const prompt = valueAt(value, ["prompt"])
  const hasParts = typeof valueAt(prompt, ["user"]) === "string"
  const path = hasParts ? ["prompt", "user"] : ["prompt"]
  const insert = (column: string) => {
    const field = box.current?.querySelector("textarea")
    const text = `{{ ${/^\w+$/u.test(column) ? column : `item[${JSON.stringify(column)}]`} }}`
    const before = field?.value ?? ""
    const at = field?.selectionStart ?? before.length
    edit([{ path, value: before.slice(0, at) + text + before.slice(field?.selectionEnd ?? at) }])
    field?.focus()
  }
  return (
    <div ref={box}>
      {hasParts ? <FileField label="System message" path={["prompt", "system"]} kind="lines" /> : null}
      <FileField
        label="Prompt"
        path={path}
        kind="lines"
        hint="A template: {{ column }} is the column of a row. Empty: the rows have prompts or messages themselves."
      />
      {columns.length === 0 || (typeof prompt === "object" && !hasParts) ? null : (
        <p className="actions chips" role="group" aria-label="Columns for the prompt">
          {columns.map((column) => (
            <button key={column} type="button" className="quiet" onClick={() => insert(column)}>
              {column}
            </button>
          ))}
        </p>
      )}
    </div>
  )
}
