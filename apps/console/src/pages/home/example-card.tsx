import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { ReactElement, ReactNode } from "react"
import { ErrorCard } from "../../components/failures/error-card.tsx"

export interface ExampleCardProps<Result> {
  readonly title: string
  readonly label: string
  readonly run: () => Promise<Result>
  /** Says what the user sees after the run. */
  readonly renderResult: (result: Result) => ReactNode
  readonly children: ReactNode
}

/** Renders something to try: what it does, the button that does it, and what came of it. */
export function ExampleCard<Result>({
  title,
  label,
  run,
  renderResult,
  children,
}: ExampleCardProps<Result>): ReactElement {
  const queries = useQueryClient()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: run,
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <section className="card example-card" aria-label={title}>
      <h2>{title}</h2>
      {children}
      <div role="status">
        {data === undefined ? null : renderResult(data)}
        {error === null ? null : <ErrorCard error={error} />}
      </div>
      <p className="actions">
        <button
          type="button"
          className={data === undefined ? "primary" : ""}
          disabled={isPending}
          onClick={() => mutate()}
        >
          {isPending ? "Running …" : data === undefined ? label : "Run again"}
        </button>
      </p>
    </section>
  )
}
