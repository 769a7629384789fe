import { formatBytes } from "@assay/reports"
import type { Fileset } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Badge } from "../../../components/badge.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { SignatureCard } from "./signature-card.tsx"

/** Shows where the files of a fileset are, and whether that answers. Secrets are names. */
export function StorageTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name, storage, id } = fileset
  const client = useClient()
  const { error, isPending, isFetching, refetch } = useQuery({
    queryKey: ["filesets", workspace, name, "answers"],
    queryFn: async ({ signal }) => {
      await client.files.page(workspace, name, { limit: 1 }, { signal })
      return true
    },
    retry: false,
  })
  return (
    <>
      <SignatureCard fileset={fileset} />
      <div className="card">
        <header className="actions">
          <h2>{storage.type}</h2>
          {isPending || isFetching ? (
            <Badge text="asking …" />
          ) : (
            <Badge text={error === null ? "answers" : "does not answer"} tone={error === null ? "PASS" : "FAIL"} />
          )}
          <span className="gap" />
          <button type="button" disabled={isFetching} onClick={() => void refetch()}>
            Ask again
          </button>
        </header>
        {error === null ? null : <ErrorCard error={error} />}
        <dl className="facts">
          <dt>id</dt>
          <dd className="mono">{id}</dd>
          {Object.entries(storage).map(([key, value]) => (
            <div key={key} className="pair">
              <dt>{key.replaceAll("_", " ")}</dt>
              <dd className="mono" dir="auto">
                {factText(key, value)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}

function factText(key: string, value: unknown): string {
  return typeof value === "number" && key.endsWith("_size") ? formatBytes(value) : valueText(value)
}
