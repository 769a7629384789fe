import { isAssayError, messageOf } from "@assay/schemas/errors"
import type { ReactElement, ReactNode } from "react"
import { CodeLink } from "./code-link.tsx"
import { Remedy } from "./remedy.tsx"
import { useErrorWords } from "./use-error-words.ts"

export interface ErrorCardProps {
  readonly error: unknown
  /** Offers to repeat what failed. */
  readonly again?: (() => void) | undefined
  /** Renders a link to a location of the document that was refused. */
  readonly linkTo?: LinkToLocation | undefined
}

/** Renders what leads to a location such as `config.tasks.qa`, or to the location that a message begins with. Null if there is none. */
export type LinkToLocation = (location: string) => ReactNode

/** Renders a failure: what was wrong, its code, and the remedy. */
export function ErrorCard({ error, again, linkTo }: ErrorCardProps): ReactElement {
  const known = isAssayError(error)
  // A message that consists of the issues would say them twice.
  const isListed = known && error.message === error.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")
  const { meaning, remedy } = useErrorWords(known ? error.code : undefined)
  return (
    <div className="card condition FAIL" role="alert">
      <header>
        <h2>{meaning}</h2>
        {known ? <CodeLink code={error.code} /> : null}
      </header>
      {isListed ? null : <p dir="auto">{messageOf(error)}</p>}
      {known && error.issues.length > 0 ? (
        <ul className="evidence">
          {error.issues.map(({ loc, msg }) => (
            <li key={`${loc.join(".")} ${msg}`}>
              <code>{loc.join(".")}</code> {msg} {linkTo?.((loc[0] === "body" ? loc.slice(1) : loc).join("."))}
            </li>
          ))}
        </ul>
      ) : null}
      {remedy === undefined ? null : <Remedy text={remedy} />}
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
