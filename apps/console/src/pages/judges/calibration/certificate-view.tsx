import { certificateBody, certificateContradiction } from "@assay/guardrails/certificate"
import type { Certificate } from "@assay/schemas"
import type { ReactElement } from "react"
import { Markup } from "../../../components/markup.tsx"

/** Shows a certificate as its report does. It never shows a guarantee that the counts of the file contradict. */
export function CertificateView({ certificate }: { readonly certificate: Certificate }): ReactElement {
  const contradiction = certificateContradiction(certificate)
  return (
    <section aria-label="Certificate" className="certificate">
      {contradiction === undefined ? null : (
        <div className="card answer FAIL" role="alert">
          <div>
            <strong>This certificate contradicts itself</strong>
            <p dir="auto">{contradiction} Nothing is guaranteed.</p>
          </div>
        </div>
      )}
      <Markup of={certificateBody(contradiction === undefined ? certificate : withoutGuarantee(certificate))} />
      <p className="soft">
        This page shows what the file says. <code>assay guard verify certificate.json</code> computes it again from the
        rows and the stored answers.
      </p>
    </section>
  )
}

function withoutGuarantee(certificate: Certificate): Certificate {
  return { ...certificate, verdict: "INCONCLUSIVE", chosen: null, rates: null, more_safe_rows: null }
}
