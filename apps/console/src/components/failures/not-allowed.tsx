import type { Role } from "@assay/schemas"
import type { ReactElement, ReactNode } from "react"
import { CodeBlock } from "../code-block.tsx"

export interface NotAllowedProps {
  /** The role that the page needs. */
  readonly needs: Role
  /** Default: it is needed in some workspace. */
  readonly workspace?: string | undefined
  /** Says why. */
  readonly children: ReactNode
}

/** Renders a page for users who lack its role: the missing role, and how to get it. */
export function NotAllowed({ needs, workspace, children }: NotAllowedProps): ReactElement {
  const where = workspace === undefined ? "a workspace" : `the workspace ${workspace}`
  return (
    <section className="card" aria-label="Missing rights">
      <h2>
        This needs the role {needs} in {where}
      </h2>
      <p>{children} Ask an admin for a token with that role, or create one on the machine of the server.</p>
      <CodeBlock
        text={`assay token create laptop --role ${needs} --workspace ${workspace ?? "default"}`}
        label="command that creates a token"
      />
    </section>
  )
}
