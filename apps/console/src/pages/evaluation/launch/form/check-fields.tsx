import { isObject } from "@assay/json"
import { useEffect, useId, useRef, useState, type ReactElement } from "react"
import type { SchemaPart } from "../../../../components/code-editor/yaml/schema-at.ts"
import { useFileForm, valueAt } from "./file-form.ts"
import { FileField, InFile } from "./file-field.tsx"

/** Checks that most files have, first in the list. */
const COMMON = ["equals", "contains", "judge", "f1", "number", "matches", "json-schema", "latency", "tokens", "cost"]
const OWN_KEYS = new Set(["name", "as", "labels"])
/** Columns that have the expected answer in many datasets. */
const EXPECTED = /^(?:answer|expected|expected_answer|reference|ground_truth|target|label)$/iu

export interface CheckFieldsProps {
  /** The schema of one check. */
  readonly schema: SchemaPart | undefined
  /** Whether a few rows are tried, which no gate decides. Default false. */
  readonly isTried?: boolean
}

/** Renders the checks of a file, and its gates. */
export function CheckFields({ schema, isTried = false }: CheckFieldsProps): ReactElement {
  const { value } = useFileForm()
  const checks = valueAt(value, ["checks"])
  return (
    <fieldset>
      <legend>How answers are scored</legend>
      {Array.isArray(checks) ? (
        <ul className="check-list">
          {checks.map((check, index) => (
            // oxlint-disable-next-line no-array-index-key -- the position of a check identifies it in the file
            <CheckField key={index} check={check} index={index} />
          ))}
        </ul>
      ) : null}
      <AddCheck schema={schema} count={Array.isArray(checks) ? checks.length : 0} />
      {isTried ? null : <GateFields />}
    </fieldset>
  )
}

interface CheckFieldProps {
  readonly check: unknown
  readonly index: number
}

function CheckField({ check, index }: CheckFieldProps): ReactElement {
  const id = useId()
  const { edit, names } = useFileForm()
  const path = ["checks", index] as const
  const kind = isObject(check) ? Object.keys(check).find((key) => !OWN_KEYS.has(key)) : undefined
  const inner = kind === undefined ? undefined : valueAt(check, [kind])
  const name = isObject(check) ? (check["name"] ?? check["as"]) : undefined
  const label = kind === undefined ? "Limit or name" : typeof name === "string" ? `${kind} (${name})` : kind
  return (
    <li>
      {kind === "judge" && isObject(inner) ? (
        <div>
          <FileField label={`${label}: its question`} path={[...path, kind, "ask"]} kind="lines" />
          <FileField label="Model that judges" path={[...path, kind, "model"]} list={id} hint="URL#NAME" />
          <datalist id={id}>
            {names.models.map((model) => (
              <option key={model}>{model}</option>
            ))}
          </datalist>
        </div>
      ) : kind === undefined || typeof inner !== "object" || inner === null ? (
        <FileField label={label} path={kind === undefined ? path : [...path, kind]} />
      ) : (
        <InFile label={label} path={[...path, kind]} />
      )}
      <button
        type="button"
        className="quiet"
        aria-label={`Remove the check ${label}`}
        onClick={() => edit([{ path, value: undefined }])}
      >
        Remove
      </button>
    </li>
  )
}

interface AddCheckProps {
  readonly schema: SchemaPart | undefined
  readonly count: number
}

function AddCheck({ schema, count }: AddCheckProps): ReactElement {
  const { edit, names } = useFileForm()
  const id = useId()
  const [kind, setKind] = useState("equals")
  const properties = schema?.properties ?? {}
  const all = Object.keys(properties).filter((key) => !OWN_KEYS.has(key))
  const sorted = [
    ...COMMON.filter((key) => all.includes(key)),
    ...all.filter((key) => !COMMON.includes(key)).toSorted(),
  ]
  const focusAdded = useFocusOfAdded(count, ".check-list > li:last-child")
  const add = () => {
    focusAdded()
    const column = names.columns.find((one) => EXPECTED.test(one))
    const value = firstValue(kind, column)
    edit([count === 0 ? { path: ["checks"], value: [value] } : { path: ["checks", count], value }])
  }
  return (
    <div className="field">
      <label htmlFor={id}>{count === 0 ? "First check" : "Another check"}</label>
      <span className="actions">
        <select id={id} value={kind} onChange={({ target }) => setKind(target.value)} aria-describedby={`${id}-about`}>
          {sorted.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </select>
        <button type="button" onClick={add}>
          Add the check
        </button>
      </span>
      <small id={`${id}-about`}>{properties[kind]?.description}</small>
    </div>
  )
}

/** Returns a new check: what the user has to write is left out, and the column with the expected answer is named if there is one. */
function firstValue(kind: string, column: string | undefined): unknown {
  if (/^(?:latency|tokens|cost|ifeval)$/u.test(kind)) return kind
  if (kind === "judge") return { judge: { ask: null, model: null } }
  return { [kind]: column === undefined ? null : `{{ ${column} }}` }
}

/** Returns what moves the focus to the next entry of a list once it is there: it stands before the button that adds it. */
function useFocusOfAdded(count: number, selector: string): () => void {
  const isAdded = useRef(false)
  useEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    document.querySelector<HTMLElement>(`${selector} :is(input, textarea, button)`)?.focus()
  }, [count, selector])
  return () => {
    isAdded.current = true
  }
}

/** Renders the gates of a file, one a line. */
function GateFields(): ReactElement {
  const { value, edit, names } = useFileForm()
  const gates = valueAt(value, ["gates"])
  const id = useId()
  const list: readonly unknown[] = Array.isArray(gates) ? gates : []
  const [first] = names.checks
  const focusAdded = useFocusOfAdded(list.length, ".gate-field:last-of-type")
  const add = () => {
    focusAdded()
    edit([
      {
        path: list.length === 0 ? ["gates"] : ["gates", list.length],
        value: list.length === 0 ? [`${first} >= `] : `${first} >= `,
      },
    ])
  }
  return (
    <>
      {list.map((_, index) => (
        // oxlint-disable-next-line no-array-index-key -- the position of a gate identifies it in the file
        <div key={index} className="gate-field">
          <FileField label={`Gate ${index + 1}`} path={["gates", index]} list={id} />
          <button
            type="button"
            className="quiet"
            aria-label={`Remove gate ${index + 1}`}
            onClick={() => edit([{ path: ["gates", index], value: undefined }])}
          >
            Remove
          </button>
        </div>
      ))}
      <datalist id={id}>
        {names.checks.map((check) => (
          <option key={check}>{`${check} >= 0.8`}</option>
        ))}
      </datalist>
      {first === undefined ? null : (
        <p className="actions">
          <button type="button" className="quiet" onClick={add}>
            Add a gate
          </button>
          <small>
            A limit that a score has to keep, such as {first} {">="} 0.8.
          </small>
        </p>
      )}
    </>
  )
}
