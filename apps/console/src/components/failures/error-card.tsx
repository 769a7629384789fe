import { ERROR_CATALOGUE, isAssayError } from "@assay/schemas/errors"
import type { ReactElement } from "react"
import { WithCode } from "../with-code.tsx"

/** Renders a failure: what was wrong, its code, and the remedy. `again` offers to repeat what failed. */
export function ErrorCard({ error, again }: { readonly error: unknown; readonly again?: () => void }): ReactElement {
  const known = isAssayError(error)
  const remedy = known ? ERROR_CATALOGUE[error.code].remedy : undefined
  return (
    <div className="card condition FAIL" role="alert">
      <header>
        <h3>{known ? ERROR_CATALOGUE[error.code].meaning : "Something in this page is wrong"}</h3>
        {known ? <code>{error.code}</code> : null}
      </header>
      <p dir="auto">{error instanceof Error ? error.message : String(error)}</p>
      {known && error.issues.length > 0 ? (
        <ul className="evidence">
          {error.issues.map(({ loc, msg }) => (
            <li key={`${loc.join(".")} ${msg}`}>
              <code>{loc.join(".")}</code> {msg}
            </li>
          ))}
        </ul>
      ) : null}
      {remedy === undefined ? null : (
        <p className="remedy">
          <b>Remedy</b> <WithCode text={remedy} />
        </p>
      )}
      {again === undefined ? null : (
        <p className="actions">
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}
