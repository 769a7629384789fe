import type { AuditQuery } from "@assay/client"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useId, useState, type ReactElement } from "react"

type Search = NonNullable<AuditQuery["search"]>

const FIELDS = [
  ["name", "Name"],
  ["token_name", "Who"],
  ["address", "Address"],
  ["door", "Door"],
  ["action", "Action"],
  ["workspace", "Workspace"],
  ["status", "Status"],
  ["request", "Request"],
] as const satisfies readonly (readonly [keyof Search, string])[]
type Field = (typeof FIELDS)[number][0]

/** Returns what the address asks for, and the function that changes it. */
export function useAuditFilter(): readonly [Search, (field: Field, text: string) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const field = FIELDS.find(([name]) => name === search["field"])?.[0]
  const text = search["text"]
  const update = (field: Field, text: string) => {
    const change = text === "" ? { field: undefined, text: undefined } : { field, text }
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...change, at: undefined }), replace: true })
  }
  if (field === undefined || (typeof text !== "string" && typeof text !== "number")) return [{}, update]
  return [{ [field]: String(text) }, update]
}

/** Renders the field and the text that the writes of the table contain there. */
export function AuditFilter(): ReactElement {
  const [filter, update] = useAuditFilter()
  const id = useId()
  const [given] = Object.entries(filter)
  const [field, setField] = useState<Field>(FIELDS.find(([name]) => name === given?.[0])?.[0] ?? "name")
  const [text, setText] = useState(given?.[1] ?? "")
  return (
    <form
      className="actions"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        update(field, text)
      }}
    >
      <label htmlFor={id} className="unseen">
        Column
      </label>
      <select
        id={id}
        value={field}
        onChange={({ target }) => setField(FIELDS.find(([name]) => name === target.value)?.[0] ?? "name")}
      >
        {FIELDS.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <input
        type="search"
        aria-label="contains"
        placeholder="contains"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => update(field, text)}
      />
    </form>
  )
}
