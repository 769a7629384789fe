import { formatInteger, formatPage, formatShare, html, verdictBadge, type Html } from "@assay/reports"
import type { Certificate } from "@assay/schemas"
import type { AskedAgain } from "./ask-again.ts"
import { candidateReason } from "./candidate-reason.ts"
import { certificatePlots } from "./certificate-plots.ts"
import { countOf, formatAskedAgain, formatP, limitsOf, verdictSentence } from "./format-certificate.ts"
import { resultWord } from "./result-word.ts"
import type { CertificateFault } from "./verify-certificate.ts"

/** The result of verifying a certificate. */
export interface CertificateVerification {
  readonly faults: readonly CertificateFault[]
  /** Null: nothing was asked again. */
  readonly asked: AskedAgain | null
}

/** Rows of the table beyond this are left out; the certificate has them. */
const MAX_ROWS = 200

/**
 * Formats a certificate as one page that loads nothing and runs nothing: each candidate against the limits, why it is certified or not, and what
 * is guaranteed. With `verification`, what its check found comes first.
 */
export function formatCertificateHtml(certificate: Certificate, verification?: CertificateVerification): string {
  const main = html`<h1>Which prompt may guard?</h1>
    ${certificateBody(certificate, verification)}`
  return formatPage({ title: `Certificate: ${certificate.chosen ?? "none"}`, main })
}

/** Renders a certificate without the page around it: the verdict, the picture, the candidates, and what is guaranteed. */
export function certificateBody(certificate: Certificate, verification?: CertificateVerification): Html {
  const { verdict, chosen } = certificate
  return html`
    ${dataLine(certificate)} ${verification === undefined ? null : verificationCard(certificate, verification)}
    <div class="card answer ${verdict}">
      <div>
        <strong>${chosen === null ? "None is certified" : `${chosen} is certified`}</strong>
        <p>${verdictSentence(certificate)}</p>
        ${(certificate.warnings ?? []).map((warning) => html`<p><b>Warning:</b> ${warning}</p>`)}
      </div>
      ${verdictBadge(verdict)}
    </div>
    ${certificatePlots(certificate)} ${candidateTable(certificate)} ${guarantees(certificate)}
  `
}

function dataLine({ data, candidates, seed, tuning_share: share, assay }: Certificate): Html {
  const [first] = candidates
  const rows = (set: "tuning" | "certification") =>
    `${formatInteger(first?.[set].false_block.n ?? 0)} safe and ${formatInteger(first?.[set].miss.n ?? 0)} unsafe`
  return html`<p class="soft">
    ${data}: ${formatShare(share)} of the rows (${rows("tuning")}) ordered ${formatInteger(candidates.length)}
    candidates, the rest (${rows("certification")}) certified; seed ${seed}, Assay ${assay}
  </p>`
}

function verificationCard(certificate: Certificate, { faults, asked }: CertificateVerification): Html {
  const isGood = faults.length === 0 && (asked === null || asked.verdict === "PASS")
  const verdict = faults.length > 0 ? "FAIL" : (asked?.verdict ?? "PASS")
  return html`<div class="card answer ${verdict}">
    <div>
      <strong>${isGood ? "Verified" : faults.length > 0 ? "Not valid" : "The new answers differ"}</strong>
      <p>
        ${
          faults.length > 0
            ? `Computed again from the rows and the stored answers, it differs in: ${faults.map(({ field }) => field).join(", ")}.`
            : "Computed again from the rows and the stored answers, it is the same."
        }
      </p>
      ${asked === null ? null : html`<p>${formatAskedAgain(asked, certificate)}</p>`}
    </div>
    ${verdictBadge(verdict)}
  </div>`
}

function candidateTable(certificate: Certificate): Html {
  const { candidates, chosen } = certificate
  const shown = candidates.filter(({ name }, at) => at < MAX_ROWS || name === chosen)
  const hidden = candidates.length - shown.length
  return html`<h2>All candidates, in the order of their tests</h2>
    <div class="card" role="group" aria-label="All candidates" tabindex="0">
      <table>
        <thead>
          <tr>
            <th>Candidate</th>
            <th>Result</th>
            <th>False blocks</th>
            <th>Misses</th>
            <th>p</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (one) =>
              html`<tr>
                <th>
                  ${one.name}${one.threshold === undefined ? null : html`<small>blocks from ${one.threshold} on</small>`}
                </th>
                <td>${resultBadge(one, certificate)}</td>
                <td class="tags">${countOf(one.certification.false_block)}</td>
                <td class="tags">${countOf(one.certification.miss)}</td>
                <td class="tags">${formatP(one.p)}</td>
                <td>${candidateReason(one, certificate)}${withoutVerdict(one)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${hidden === 0 ? null : html`<p class="soft">${formatInteger(hidden)} more are in certificate.json.</p>`}
    </div>`
}

const TONES = { certified: "PASS", refused: "FAIL", undecided: "INCONCLUSIVE", untested: "NONE" } as const

function resultBadge(one: Certificate["candidates"][number], certificate: Certificate): Html {
  const word = resultWord(one, certificate)
  return verdictBadge(word, TONES[word])
}

function withoutVerdict({ unreadable, failed }: Certificate["candidates"][number]): Html | null {
  if (unreadable + failed === 0) return null
  return html`<small
    >Among the faults: ${unreadable} answers without a verdict, ${failed} questions that failed.</small
  >`
}

function guarantees({ alpha, limits, chosen, data_digest, answers_digest }: Certificate): Html {
  return html`<h2>What it guarantees</h2>
    <ul class="notes card">
      <li>
        ${
          chosen === null
            ? "Nothing: no candidate is certified."
            : `With a probability of at least ${formatShare(1 - alpha)}, no certified candidate is above a limit (${limitsOf(limits)}), however many were tried.`
        }
      </li>
      <li>
        The guarantee is the limit. The rate of the chosen candidate may be anything up to it; the counts are of these
        rows.
      </li>
      <li>A question that failed, and an answer without a verdict, count as faults on both sides.</li>
    </ul>
    <h2>What it does not guarantee</h2>
    <ul class="notes card">
      <li>New messages have to be like the labelled ones: of the same users, languages and topics.</li>
      <li>The labels are taken for the truth.</li>
      <li>
        The model behind the endpoint has to stay the same; <code>assay guard verify --ask</code> compares its answers
        of today.
      </li>
      ${limits.miss === null ? html`<li>Misses have no limit here. A limit is set with <code>--max-miss</code>.</li>` : null}
    </ul>
    <h2>What it is about</h2>
    <p class="evidence">rows <code>${data_digest}</code><br />answers <code>${answers_digest}</code></p>`
}
