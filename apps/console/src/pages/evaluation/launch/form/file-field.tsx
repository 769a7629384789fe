import { useId, type ReactElement } from "react"
import { valueText } from "../../../../documents/value-text.ts"
import type { FilePath } from "../file/edit-file.ts"
import { useFileForm, valueAt } from "./file-form.ts"

export interface FileFieldProps {
  readonly label: string
  readonly path: FilePath
  readonly hint?: string
  /** `number`: a text that is a number is written as one. Default: text. */
  readonly kind?: "text" | "number" | "lines"
  /** The ids of its suggestions. */
  readonly list?: string
  readonly placeholder?: string
}

/** Renders a field that is a value of the file. A value that is not a text is changed in the file. */
export function FileField({ label, path, hint, kind = "text", list, placeholder }: FileFieldProps): ReactElement {
  const id = useId()
  const { value, edit } = useFileForm()
  const found = valueAt(value, path)
  const common = {
    id,
    placeholder,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    value: typeof found === "object" ? "" : valueText(found),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      edit([{ path, value: valueOf(target.value, kind) }]),
  }
  if (typeof found === "object" && found !== null) return <InFile label={label} path={path} />
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {kind === "lines" ? (
        <textarea {...common} rows={3} dir="auto" />
      ) : (
        <input
          {...common}
          list={list}
          autoComplete="off"
          inputMode={kind === "number" ? "decimal" : undefined}
          dir="auto"
        />
      )}
      <small>
        {hint === undefined ? null : <span id={`${id}-hint`}>{hint} · </span>}
        <KeyLink path={path} />
      </small>
    </div>
  )
}

/** Renders the key of a field, as a link to what it means. */
function KeyLink({ path: [first, second] }: Pick<FileFieldProps, "path">): ReactElement {
  const isInner = first === "limits" || first === "checks"
  const key = first === "limits" ? `limits.${second}` : String(first)
  return (
    <a href={`/help/reference/evaluation-file#${isInner ? first : `key-${first}`}`}>
      <code>{key}</code>
    </a>
  )
}

function valueOf(text: string, kind: FileFieldProps["kind"]): string | number | undefined {
  if (text === "") return undefined
  return kind === "number" && /^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : text
}

/** Says that a value is written in the file, and leads to it. */
export function InFile({ label, path }: { readonly label: string; readonly path: FilePath }): ReactElement {
  const { show } = useFileForm()
  return (
    <p className="in-file">
      <b>{label}</b> <span className="soft">is written in the file.</span>{" "}
      <button type="button" className="quiet" onClick={() => show(path)}>
        Show it
      </button>
    </p>
  )
}
