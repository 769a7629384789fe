import { formatDuration, formatInteger } from "@assay/reports"
import type { ActivatedRail, RailMember } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { CodeLink } from "../../../components/failures/code-link.tsx"
import { RemedyOf } from "../../../components/failures/remedy.tsx"
import { STATUSES } from "./rail-status.ts"

export interface RailCardProps {
  readonly rail: ActivatedRail
  /** The side of the rail: `input` or `output`. */
  readonly direction: string
}

/** Renders one rail: what its judge was asked, its own words, the verdict in them, and what was decided. */
export function RailCard({ rail, direction }: RailCardProps): ReactElement {
  const { text, tone } = STATUSES[rail.status]
  return (
    <article className={`card condition ${tone}`} aria-label={rail.name}>
      <header>
        <h3 dir="auto">{rail.name}</h3>
        <span className="soft">{direction}</span>
        <Badge text={text} tone={tone} />
      </header>
      <RailFacts rail={rail} />
      {rail.members === undefined ? null : (
        <>
          <h4>Members</h4>
          {rail.members.map((member) => (
            <Member key={member.name} member={member} />
          ))}
          {rail.calls_saved === undefined || rail.calls_saved === 0 ? null : (
            <p className="soft">{rail.calls_saved} of them did not have to be asked.</p>
          )}
        </>
      )}
    </article>
  )
}

function Member({ member }: { readonly member: RailMember }): ReactElement {
  const { text, tone } = STATUSES[member.status]
  return (
    <details className={`member ${tone}`}>
      <summary>
        <span dir="auto">{member.name}</span>{" "}
        {member.asked ? <Badge text={text} tone={tone} /> : <span className="soft">not asked</span>}
      </summary>
      {member.asked ? <RailFacts rail={member} /> : null}
    </details>
  )
}

type CheckedRail = Omit<ActivatedRail, "members" | "calls_saved">

function RailFacts({ rail }: { readonly rail: CheckedRail }): ReactElement {
  const { verdict, unreadable, error, prompt } = rail
  const raw = verdict?.raw ?? unreadable?.raw
  return (
    <>
      <Decision rail={rail} />
      {error === null ? null : (
        <>
          <p className="fault" dir="auto">
            <CodeLink code={error.code} /> {error.message}
          </p>
          <RemedyOf code={error.code} />
        </>
      )}
      {raw === undefined ? null : (
        <>
          <h4>The judge’s words</h4>
          <pre dir="auto">{raw === "" ? "(nothing)" : raw}</pre>
        </>
      )}
      {prompt === undefined ? null : <JudgePrompt prompt={prompt} />}
    </>
  )
}

/** Renders the verdict, what decided, and how long it took. */
function Decision({ rail }: { readonly rail: CheckedRail }): ReactElement {
  const { verdict, policy, latency_ms, usage, reason } = rail
  // A rule asks no judge.
  const isRule = policy === null && verdict === null && rail.unreadable === null && rail.error === null
  return (
    <dl className="facts">
      <dt>{isRule ? "Found" : "Verdict"}</dt>
      <dd dir="auto">{isRule ? (reason ?? "nothing") : verdictText(rail)}</dd>
      {verdict === null || verdict.categories.length === 0 ? null : (
        <>
          <dt>Categories</dt>
          <dd dir="auto">{verdict.categories.map(({ raw: words, name }) => name ?? words).join(", ")}</dd>
        </>
      )}
      {verdict?.score === undefined ? null : (
        <>
          <dt>Risk</dt>
          <dd>{verdict.score.toFixed(3)}</dd>
        </>
      )}
      <dt>Decided by</dt>
      <dd>
        {policy === null ? (
          isRule ? (
            "a rule"
          ) : (
            "the verdict"
          )
        ) : (
          <>
            the policy <code>{policy}</code>
          </>
        )}
      </dd>
      <dt>Time</dt>
      <dd>
        {latency_ms < 1000 ? `${Math.round(latency_ms)} ms` : formatDuration(latency_ms)}
        {usage === null
          ? ""
          : ` · ${formatTokens(usage.prompt_tokens)} + ${formatTokens(usage.completion_tokens)} tokens`}
      </dd>
    </dl>
  )
}

/** Renders the messages that the judge was asked with, which are hidden at first. */
function JudgePrompt({ prompt }: { readonly prompt: NonNullable<CheckedRail["prompt"]> }): ReactElement {
  return (
    <details className="prompt">
      <summary>Messages to the judge</summary>
      {prompt.map(({ role, content }, direction) => (
        // The messages of a prompt have no names of their own.
        // oxlint-disable-next-line react/no-array-index-key -- the order never changes
        <div key={direction} className="asked">
          <span className="soft">{role}</span>
          <pre dir="auto" tabIndex={0} aria-label={`Message of role ${role}`}>
            {content}
          </pre>
        </div>
      ))}
    </details>
  )
}

function verdictText({ verdict, unreadable, error }: Pick<ActivatedRail, "verdict" | "unreadable" | "error">): string {
  if (error !== null) return "none: the request failed"
  if (unreadable !== null) return `none: the answer is unreadable (${unreadable.reason})`
  if (verdict === null) return "none"
  const sides = [
    verdict.user_safety === null ? "" : `message ${verdict.user_safety}`,
    verdict.response_safety === null ? "" : `answer ${verdict.response_safety}`,
  ].filter((side) => side !== "")
  return `${sides.join(", ")}${verdict.reading === "lenient" ? " (read leniently: the answer did not keep its form)" : ""}`
}

function formatTokens(count: number | null): string {
  return count === null ? "?" : formatInteger(count)
}
