import { isAssayError } from "@assay/schemas/errors"
import type { ReactElement } from "react"
import { CodeLink } from "./code-link.tsx"
import { Remedy } from "./remedy.tsx"
import { ErrorCard, type ErrorCardProps } from "./error-card.tsx"

interface FailedCheck {
  readonly check: string
  readonly code: string
  readonly message: string
  readonly remedy: string
}

/** Shows every check that failed, each with its remedy. */
export function FailedChecks({ error, linkTo }: Pick<ErrorCardProps, "error" | "linkTo">): ReactElement {
  const checks = isAssayError(error)
    ? (error.context["failed_checks"] as readonly FailedCheck[] | undefined)
    : undefined
  if (checks === undefined) return <ErrorCard error={error} linkTo={linkTo} />
  return (
    <section role="alert" aria-label="Failed checks">
      <h2>Nothing was launched</h2>
      {checks.map(({ check, code, message, remedy }) => (
        <div key={`${check} ${code} ${message}`} className="card condition FAIL">
          <header>
            <h3>{check}</h3>
            <CodeLink code={code} />
          </header>
          <p dir="auto">
            {message} {linkTo?.(message)}
          </p>
          <Remedy text={remedy} />
        </div>
      ))}
    </section>
  )
}
