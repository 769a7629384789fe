import type { Fileset, SignatureStatus } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"

const WORDS = { changed: "has other bytes", missing: "is missing", unsigned: "was not signed" } as const

/** Shows what the signature of a model said when the fileset was created: who signed, and which files differ. */
export function SignatureCard({ fileset }: { readonly fileset: Fileset }): ReactElement | null {
  const { signature, signature_path: path, signature_status: status } = fileset
  if (signature === undefined || status === undefined) return null
  const { signer, reason, differing } = status
  return (
    <div className="card">
      <header className="actions">
        <h2>Signature</h2>
        <SignatureBadge status={status} />
      </header>
      <dl className="facts">
        <dt>signer</dt>
        <dd dir="auto">{signer ?? "–"}</dd>
        <dt>path</dt>
        <dd className="mono" dir="auto">
          {path}
        </dd>
        <dt>from then on</dt>
        <dd>
          {signature === "required"
            ? "files that were not signed, or have other bytes, are not served"
            : "reported only"}
        </dd>
      </dl>
      {reason === null ? null : <p>{reason}</p>}
      {differing.length === 0 ? null : (
        <ul>
          {differing.map((file) => (
            <li key={file.path}>
              <code dir="auto">{file.path}</code> {WORDS[file.fault]}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Says in a word whether the files of a model were signed. */
export function SignatureBadge({ status }: { readonly status: SignatureStatus }): ReactElement {
  const tone = status.state === "verified" ? "PASS" : status.state === "differs" ? "FAIL" : "INCONCLUSIVE"
  return <Badge text={`signature ${status.state}`} tone={tone} />
}
